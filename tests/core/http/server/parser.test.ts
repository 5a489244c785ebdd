// Refusals of the HTTP parser, and nearly correct addresses: the envelope is the usual one.
import net from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Envelope } from '#core/http/server/envelope.ts';
import { eventually } from '../../../harness/eventually.ts';
import { listNotes, useRoutes, writeNote } from '../fixture.ts';

const service = useRoutes(test, [writeNote, listNotes]);

/** Sends raw bytes and returns the response until the connection ends. */
function raw(bytes: string): Promise<{ status: number; headers: string; body: Envelope }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(service.url()).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('end', () => {
      const [headers = '', body = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(headers.split(' ')[1]), headers, body: JSON.parse(body) as Envelope });
    });
  });
}

const close = 'Host: x\r\nConnection: close\r\n';
const refused: readonly (readonly [string, string, number])[] = [
  ['no HTTP at all', 'nonsense\r\n\r\n', 400],
  ['a header without a colon', `GET /notes HTTP/1.1\r\n${close}nonsense\r\n\r\n`, 400],
  ['two lengths', `POST /notes/1 HTTP/1.1\r\n${close}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  [
    'length and chunks',
    `POST /notes/1 HTTP/1.1\r\n${close}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
  ],
  ['headers of 20 KiB', `GET /notes HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an unknown expectation', `GET /notes HTTP/1.1\r\n${close}Expect: miracles\r\n\r\n`, 417],
  ['no Host', 'GET /notes HTTP/1.1\r\nConnection: close\r\n\r\n', 422],
];

for (const [what, bytes, status] of refused) {
  test(`${what}: ${status} with the envelope, an id and a line in the log`, async () => {
    service.logged.length = 0;
    const answer = await raw(bytes);
    assert.equal([answer.status, answer.body.code], [status, 'VALIDATION_ERROR']);
    assert.match(answer.headers, /^x-request-id: [0-9a-f-]{36}$/im);
    assert.match(answer.headers, /^content-type: application\/json/im);
    await eventually('a line', () => service.logged.length > 0);
    assert.equal(
      service.logged.map((line) => line.status),
      [status],
    );
  });
}

test('a request whose body never comes ends with 408 and the envelope', async () => {
  const { server } = service.http();
  const before = [server.requestTimeout, server.headersTimeout] as const;
  [server.requestTimeout, server.headersTimeout] = [300, 300];
  try {
    const head = `POST /notes/1 HTTP/1.1\r\n${close}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n`;
    const { status, body } = await raw(head);
    assert.equal([status, body.code], [408, 'VALIDATION_ERROR']);
  } finally {
    [server.requestTimeout, server.headersTimeout] = before;
  }
});

test('an address has one spelling: another case or a trailing slash is 404', async () => {
  assert.is((await service.get('/notes')).status, 200);
  for (const path of ['/Notes', '/NOTES', '/notes/', '/notes//', '/%6Eotes']) {
    const { status, body } = await service.get<Envelope>(path);
    assert.equal([path, status, body.code], [path, 404, 'NOT_FOUND']);
  }
});

test('a page may load styles and fonts from this origin alone', async () => {
  const policy = (await service.get('/notes')).headers.get('content-security-policy') ?? '';
  assert.not.match(policy, /https:/);
  assert.match(policy, /style-src 'self' 'unsafe-inline'/);
});

test.run();
