// Request bodies of clients and attackers. Every faulty one gets 422 with the envelope, never 400 or 413.
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parsedBody, type RawBody } from '#core/http/checks/body.ts';
import type { Envelope } from '#core/http/server/envelope.ts';
import { eventually } from '../../../harness/eventually.ts';
import { useRoutes, writeNote } from '../fixture.ts';

const service = useRoutes(test, [writeNote]);
const limitBytes = 256 * 1024;

const nested = (depth: number) => `{"text":"x","extra":${'['.repeat(depth)}${']'.repeat(depth)}}`;
/** A note of exactly `bytes` bytes. */
const noteOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

const refused: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, RegExp])[] = [
  ['half a document', '{"text":', /not JSON/],
  ['a comment', '{"text":"x"} // y', /not JSON/],
  ['NaN', '{"text":NaN}', /not JSON/],
  [
    'bytes that are not UTF-8',
    new Uint8Array([...Buffer.from('{"text":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    /not JSON/,
  ],
  [
    'an overlong UTF-8 form',
    new Uint8Array([...Buffer.from('{"text":"'), 0xc0, 0x80, ...Buffer.from('"}')]),
    /not JSON/,
  ],
  ['UTF-16', new Uint8Array(Buffer.from('{"text":"x"}', 'utf16le')), /not JSON/],
  ['U+0000 in a text', '{"text":"a\\u0000b"}', /not text/],
  ['U+0000 in a name', '{"text":"x","a\\u0000":1}', /not text/],
  ['a lone surrogate', '{"text":"\\ud800"}', /not text/],
  ['a lone surrogate deep inside', '{"text":"x","extra":[{"a":["\\udfff"]}]}', /not text/],
  ['nesting deeper than 64', nested(100), /deeper/],
  ['very deep nesting', nested(50_000), /deeper/],
  ['one byte too many', noteOf(limitBytes + 1), /larger/],
  ['a number', '7', /object/],
  ['null', 'null', /object/],
  ['an array', '[]', /object/],
];

for (const [what, bytes, issue] of refused) {
  test(`${what} is 422`, async () => {
    const { status, body } = await service.post<Envelope>('/notes/1', undefined, { bytes });
    assert.equal([status, body.code], [422, 'VALIDATION_ERROR']);
    assert.match(body.details?.[0]?.issue ?? '', issue);
  });
}

test('a body of exactly the limit is accepted, and so is nesting up to 64', async () => {
  assert.is((await service.post('/notes/1', undefined, { bytes: noteOf(limitBytes) })).status, 200);
  assert.is((await service.post('/notes/1', undefined, { bytes: nested(60) })).status, 200);
});

test('Arabic with diacritics and characters beyond the basic plane come through unchanged', async () => {
  const text = 'كِتَابٌ 😀 e\u0301';
  assert.is((await service.post<{ text: string }>('/notes/1', { text })).body.text, text);
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=iso-8859-1',
  'application/jsonp',
  '',
]) {
  test(`Content-Type ${JSON.stringify(type)} is 422`, async () => {
    const options = { bytes: '{"text":"x"}', headers: { 'content-type': type } };
    const { status, body } = await service.post<Envelope>('/notes/1', undefined, options);
    assert.equal([status, body.code], [422, 'VALIDATION_ERROR']);
  });
}

for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
  test(`Content-Type ${type} is accepted`, async () => {
    const options = { bytes: '{"text":"x"}', headers: { 'content-type': type } };
    assert.is((await service.post('/notes/1', undefined, options)).status, 200);
  });
}

test('a compressed body is 422, whatever its content', async () => {
  const bytes = new Uint8Array(gzipSync('{"text":"x"}'));
  const { status, body } = await service.post<Envelope>('/notes/1', undefined, {
    bytes,
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal([status, body.details?.[0]?.issue], [422, 'is compressed']);
});

test('no body counts as an empty object', async () => {
  const { status, body } = await service.post<Envelope>('/notes/1');
  assert.equal([status, body.details], [422, [{ field: 'text', issue: 'is required' }]]);
});

test('details name every wrong field by its dotted path, and no value', async () => {
  const { body } = await service.post<Envelope>('/notes/1', {
    text: '',
    tags: [{ name: 'a' }, { nom: 'b' }, 'c'],
    zzz: 'secret',
  });
  const fields = body.details?.map(({ field }) => field).sort();
  assert.equal(fields, ['tags.1.name', 'tags.1.nom', 'tags.2', 'text', 'zzz']);
  assert.not.match(JSON.stringify(body), 'secret');
});

test('names that JavaScript objects inherit are unknown properties like others', async () => {
  const bytes = '{"text":"x","__proto__":{"admin":true},"constructor":1}';
  const { status, body } = await service.post<Envelope>('/notes/1', undefined, { bytes });
  assert.is(status, 422);
  assert.equal(body.details?.map(({ field }) => field).sort(), ['__proto__', 'constructor']);
});

/** Sends a body in chunks, without Content-Length, as fast as the server takes it. */
function upload(headers: http.OutgoingHttpHeaders, totalBytes: number): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.url()}/notes/1`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, code: (JSON.parse(text) as Envelope).code }),
      );
    });
    request.on('error', reject);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (let sent = 0; sent < totalBytes; sent += chunk.length) request.write(chunk);
    request.end();
  });
}

test('a body whose Content-Length is too large is answered before it has arrived', async () => {
  const size = 2 * 1024 * 1024;
  const answer = await upload({ 'content-type': 'application/json', 'content-length': size }, size);
  assert.equal(answer, { status: 422, code: 'VALIDATION_ERROR' });
});

test('a body of unknown size that grows too large is answered', async () => {
  const answer = await upload({ 'content-type': 'application/json' }, 2 * 1024 * 1024);
  assert.equal(answer, { status: 422, code: 'VALIDATION_ERROR' });
});

test('a client that disconnects during its body causes no error', async () => {
  service.logged.length = 0;
  await new Promise<void>((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': 1000 };
    const request = http.request(`${service.url()}/notes/1`, { method: 'POST', headers });
    request.on('error', () => resolve());
    request.write('{"text":');
    service.http().server.once('request', () => setImmediate(() => request.destroy()));
  });
  await eventually('a line', () => service.logged.some(({ aborted }) => aborted === true));
  const errorLevel = 50;
  assert.equal(
    service.logged.filter(({ level }) => Number(level) >= errorLevel),
    [],
  );
});

test('a parsed body keeps the value alone, and an unparsed one the bytes', () => {
  const message = { headers: { 'content-type': 'application/json' } } as http.IncomingMessage;
  const raw: RawBody = { content: { bytes: Buffer.from('{"text": "x"}') }, sizeBytes: 13 };
  const value = parsedBody(message, raw, false);
  assert.equal(raw.content, { value: { text: 'x' } });
  assert.is(parsedBody(message, raw, false), value);
  const broken: RawBody = { content: { bytes: Buffer.from('{') }, sizeBytes: 1 };
  for (const _ of [1, 2]) assert.throws(() => parsedBody(message, broken, false), /not valid JSON/);
});

test.run();
