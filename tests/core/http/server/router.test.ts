// Responses that every address has for every caller: ids of requests, methods, unknown paths, queries.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Envelope } from '#core/http/server/envelope.ts';
import { listNotes, useRoutes, writeNote } from '../fixture.ts';

const service = useRoutes(test, [writeNote, listNotes]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

for (const path of ['/', '/nothing', '/notes/1/more', '/api/openapi.json', '/notes/../nothing', '//notes']) {
  test(`GET ${path} is 404 with the envelope`, async () => {
    const { status, body, headers } = await service.get<Envelope>(path);
    assert.is(status, 404);
    assert.is(body.code, 'NOT_FOUND');
    assert.match(headers.get('x-request-id') ?? '', uuid);
    assert.match(headers.get('content-type') ?? '', 'application/json');
  });
}

test('a known address with another method is 405 and says which ones it has', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS']) {
    const { status, body, headers } = await service.request<Envelope>(method, '/notes');
    assert.equal([method, status, body.code, headers.get('allow')], [method, 405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']);
  }
  const { status, headers } = await service.get('/notes/1');
  assert.equal([status, headers.get('allow')], [405, 'POST']);
});

test('a path id of the wrong shape is 404, also with a body that is wrong', async () => {
  for (const id of ['0', '-1', 'x', '1.5', '%00', '1%0A', '12345678901234567', '%F0%9F%98%80']) {
    const { status, body } = await service.post<Envelope>(`/notes/${id}`, { wrong: true });
    assert.equal([id, status, body.code], [id, 404, 'NOT_FOUND']);
  }
});

test('a path that cannot be decoded is 404', async () => {
  for (const path of ['/notes/%ff', '/notes/%', '/notes/%E0%A4%A']) {
    const { status, body } = await service.post<Envelope>(path, { text: 'x' });
    assert.equal([path, status, body.code], [path, 404, 'NOT_FOUND']);
  }
});

test('a valid X-Request-Id comes back', async () => {
  for (const id of ['a', 'req-1_2.3', 'x'.repeat(128)]) {
    const { headers } = await service.get('/notes', { headers: { 'x-request-id': id } });
    assert.is(headers.get('x-request-id'), id);
  }
});

test('an X-Request-Id that could forge a log line or fill it is replaced', async () => {
  for (const id of ['two words', 'x'.repeat(129), '<script>', '{"a":1}', 'a,b']) {
    const { headers } = await service.get('/notes', { headers: { 'x-request-id': id } });
    assert.match(headers.get('x-request-id') ?? '', uuid);
  }
});

test('HEAD answers like GET, without a body', async () => {
  const { status, body, headers } = await service.request('HEAD', '/notes');
  assert.equal([status, body], [200, undefined]);
  assert.match(headers.get('content-type') ?? '', 'application/json');
});

test('a query is coerced to its types, with defaults', async () => {
  assert.equal((await service.get('/notes')).body, { limit: 25 });
  assert.equal((await service.get('/notes?limit=7')).body, { limit: 7 });
});

for (const [query, field, issue] of [
  ['limit=1&limit=2', 'limit', /twice/],
  ['limit=0', 'limit', />= 1/],
  ['limit=101', 'limit', /<= 100/],
  ['limit=ten', 'limit', /integer/],
  ['limit=1.5', 'limit', /integer/],
  ['limit=', 'limit', /integer/],
  ['limit=%00', 'limit', /not text/],
  ['Limit=1', 'Limit', /not accepted/],
  ['limit[]=1', 'limit[]', /not accepted/],
  ['__proto__=1', '__proto__', /not accepted/],
  ['constructor=1', 'constructor', /not accepted/],
] as const) {
  test(`?${query} is 422 and names ${field}`, async () => {
    const { status, body } = await service.get<Envelope>(`/notes?${query}`);
    assert.equal([status, body.code, body.details?.[0]?.field], [422, 'VALIDATION_ERROR', field]);
    assert.match(body.details?.[0]?.issue ?? '', issue);
  });
}

test('a route without a query accepts none', async () => {
  const { status, body } = await service.post<Envelope>('/notes/1?limit=1', { text: 'x' });
  assert.equal([status, body.details], [422, [{ field: 'limit', issue: 'is not accepted' }]]);
});

test('headers do not reveal the framework, and forbid caching and sniffing', async () => {
  const { headers } = await service.get('/notes');
  assert.is(headers.get('x-powered-by'), null);
  assert.is(headers.get('etag'), null);
  assert.is(headers.get('cache-control'), 'no-store');
  assert.is(headers.get('x-content-type-options'), 'nosniff');
});

test('a request leaves one line in the log, without its query or its body', async () => {
  service.logged.length = 0;
  await service.post('/notes/7', { text: 'a secret' }, { headers: { 'x-request-id': 'log-test' } });
  const lines = service.logged.filter(({ requestId }) => requestId === 'log-test');
  assert.is(lines.length, 1);
  const { operation, method, status } = lines[0] ?? {};
  assert.equal({ operation, method, status }, { operation: 'writeNote', method: 'POST', status: 200 });
  assert.not.match(JSON.stringify(lines), 'a secret');
});

test.run();
