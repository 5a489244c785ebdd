// An answer that the caller has already is 304 without a body, also for fetch(), which adds `Cache-Control: no-cache` to a
// request with `If-None-Match` (RFC 9110 §13.1.2).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ok } from '#core/http/answers.ts';
import { Nothing, object } from '#core/http/schemas.ts';
import { fixtureRoutes, useRoutes, writeNote } from '../fixture.ts';

const listTags = fixtureRoutes.publicRoute({
  method: 'get',
  path: '/tags',
  operation: 'listTags',
  summary: 'Fixture',
  tag: 'fixture',
  demo: 'read',
  answers: { 200: object({}), 304: Nothing },
  run: async () => ({ ...ok({}), headers: { ETag: '"9"' } }),
});

const test = suite('conditional requests');
const http = useRoutes(test, [listTags, writeNote]);

const ask = async (headers: Record<string, string>, method = 'GET') =>
  (await http.request(method, '/tags', { headers })).status;

for (const cacheControl of ['no-cache', 'max-age=0', 'no-store', 'no-cache, max-age=0']) {
  test(`304 beside Cache-Control: ${cacheControl}`, async () => {
    const headers = { 'cache-control': cacheControl };
    assert.is(await ask({ ...headers, 'if-none-match': '"9"' }), 304);
    assert.is(await ask({ ...headers, 'if-none-match': 'W/"9"' }), 304);
    assert.is(await ask({ ...headers, 'if-none-match': '"8", "9"' }), 304);
    assert.is(await ask({ ...headers, 'if-none-match': '*' }), 304);
    assert.is(await ask({ ...headers, 'if-none-match': '"8"' }), 200);
    assert.is(await ask(headers), 200);
  });
}

test('fetch() of Node gets 304 when it sends If-None-Match', async () => {
  const reply = await fetch(`${http.url()}/tags`, { headers: { 'if-none-match': '"9"' } });
  assert.equal([reply.status, await reply.text(), reply.headers.get('etag')], [304, '', '"9"']);
});

test('an answer without an ETag is never 304', async () => {
  const headers = { 'if-none-match': '*', 'cache-control': 'no-cache' };
  assert.is((await http.post('/notes/7', { text: 'a' }, { headers })).status, 200);
});

test.run();
