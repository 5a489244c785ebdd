// A provider is asked over real sockets, as one that behaves and as ones that do not.
import type { LookupAddress } from 'node:dns';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpFailure, type HttpProblem } from '#integrations/lms/http-client/failures.ts';
import {
  createHttpClient,
  type HttpClientOptions,
  type SessionOptions,
} from '#integrations/lms/http-client/http-client.ts';
import { eventually } from '../../../harness/eventually.ts';
import { type Answer, json, useAnsweringServer } from '../../../harness/lms/answering-server.ts';
import { testCertificate } from '../../../harness/lms/certificate.ts';

const plain = await useAnsweringServer(test);
const encrypted = await useAnsweringServer(test, { encrypted: true });
const pauses: number[] = [];

function clientOf(options: Partial<HttpClientOptions> = {}) {
  pauses.length = 0;
  return createHttpClient({
    trustedHosts: new Set([plain.host, encrypted.host]),
    timeoutMs: 2_000,
    random: () => 0.5,
    pause: async (ms) => void pauses.push(ms),
    ...options,
  });
}

/** Asks once, and lets go of everything. */
async function ask(address: string, options: Partial<HttpClientOptions> = {}, sessionOptions: SessionOptions = {}) {
  const session = clientOf(options).openSession(sessionOptions);
  try {
    return await session.request({ method: 'GET', url: new URL(address) });
  } finally {
    session.close();
  }
}

async function problemOf(asked: Promise<unknown>): Promise<HttpProblem> {
  return (await failureOf(asked)).problem;
}

async function failureOf(asked: Promise<unknown>): Promise<HttpFailure> {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.instance(failure, HttpFailure);
  return failure as HttpFailure;
}

test('a trusted host is asked, over plain http too, and what it says is reported', async () => {
  plain.begin((_, response) => json(response, { classes: [] }, { 'x-total-count': '0' }));
  const { status, json: body, headers } = await ask(`${plain.origin}/classes?limit=1`);
  assert.equal([status, body, headers['x-total-count']], [200, { classes: [] }, '0']);
  assert.is(plain.received[0]?.headers['accept-encoding'], 'identity');
});

test('a certificate that no one vouches for ends the conversation before anything is sent', async () => {
  encrypted.begin((_, response) => json(response, {}));
  assert.is(await problemOf(ask(encrypted.origin)), 'certificate');
  assert.is(encrypted.received.length, 0);
  assert.is((await ask(encrypted.origin, { ca: testCertificate })).status, 200);
});

test('plain http where TLS is expected is no trustworthy connection', async () => {
  assert.is(await problemOf(ask(plain.origin.replace('http:', 'https:'))), 'certificate');
});

for (const [what, address] of [
  ['plain http', 'http://roster.example/'],
  ['a login in the address', 'https://user:secret@roster.example/'],
  ['another scheme', 'ftp://roster.example/'],
  ['loopback', 'https://127.0.0.1/'],
  ['loopback, written as one number', 'https://2130706433/'],
  ['metadata of a cloud', 'https://169.254.169.254/latest'],
  ['loopback of IPv6', 'https://[::1]/'],
  ['a mapped address', 'https://[::ffff:127.0.0.1]/'],
  ['a private address', 'https://10.0.0.1:8443/'],
] as const) {
  test(`never asked: ${what}`, async () => {
    assert.is(await problemOf(ask(address)), 'address');
    assert.equal(pauses, []);
  });
}

const resolvingTo =
  (...addresses: readonly string[]): NonNullable<HttpClientOptions['resolve']> =>
  (_, tell) =>
    tell(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

test('a name is looked at while connecting: one that leads inside is not followed, on whatever port', async () => {
  encrypted.begin((_, response) => json(response, {}));
  const { port } = new URL(encrypted.origin);
  const inside = { trustedHosts: new Set<string>(), ca: testCertificate };
  for (const address of ['127.0.0.1', '::1', '10.0.0.7', '169.254.169.254', '::ffff:127.0.0.1']) {
    for (const asked of [`https://roster.test:${port}/`, 'https://roster.test:9/']) {
      assert.is(await problemOf(ask(asked, { ...inside, resolve: resolvingTo(address) })), 'address', address);
    }
  }
  assert.is(encrypted.received.length, 0);
});

test('a name that leads outside first and inside afterwards is refused at the connection that leads inside', async () => {
  encrypted.begin((_, response) => json(response, {}));
  const { port } = new URL(encrypted.origin);
  let asked = 0;
  const rebinding: NonNullable<HttpClientOptions['resolve']> = (host, tell) =>
    resolvingTo(asked++ === 0 ? '192.0.1.1' : '127.0.0.1')(host, tell);
  const client = clientOf({ trustedHosts: new Set(), ca: testCertificate, resolve: rebinding, timeoutMs: 100 });
  const session = client.openSession();
  client.check(new URL(`https://roster.test:${port}/`));
  assert.is(
    await problemOf(session.request({ method: 'GET', url: new URL(`https://roster.test:${port}/`) })),
    'address',
  );
  session.close();
  assert.equal([asked, encrypted.received.length], [2, 0]);
});

test('a name without an address is answered as one whose address is closed', async () => {
  const unknown: NonNullable<HttpClientOptions['resolve']> = (_, tell) =>
    tell(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
  const one = await failureOf(ask('https://nobody.test/', { resolve: unknown }));
  const other = await failureOf(ask('https://inside.test/', { resolve: resolvingTo('10.0.0.1') }));
  assert.equal([one.problem, one.message], [other.problem, other.message]);
});

const protocolFaults: Readonly<Record<string, Answer>> = {
  'a page of HTML': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
  'HTML that calls itself JSON': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html></html>'),
  'JSON that breaks off': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"classes": [{"sour'),
  'nothing at all': (_, response) => response.writeHead(204).end(),
  'a redirect to a private address': (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  'a redirect to itself': (_, response) => response.writeHead(308, { location: plain.origin }).end(),
  'a compressed answer': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
  'a page that says it has more than 2 MiB': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': String(2 * 1024 * 1024 + 1) })
      .write('['),
  'a page that goes on for ever': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(256 * 1024, ' ');
    const more = (): void => {
      if (!response.destroyed) response.write(chunk, more);
    };
    more();
  },
};
for (const [what, answer] of Object.entries(protocolFaults)) {
  test(`not asked again, nothing held: ${what}`, async () => {
    plain.begin(answer);
    assert.is(await problemOf(ask(plain.origin)), 'protocol');
    assert.equal([plain.received.length, pauses], [1, []]);
    await eventually('connections are let go', () => plain.connections() === 0);
  });
}

const passing: Readonly<Record<string, Answer>> = {
  'trouble of its own': (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html></html>'),
  'a connection that is cut': (_, response) => void response.destroy(),
  'an answer that is cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
    setTimeout(() => response.destroy(), 5);
  },
  'being asked too often': (_, response) => response.writeHead(429).end(),
};
for (const [what, answer] of Object.entries(passing)) {
  test(`asked again with growing pauses, five times in all: ${what}`, async () => {
    plain.begin(answer);
    assert.match(await problemOf(ask(plain.origin)), /unavailable|rate_limited/);
    assert.equal([plain.received.length, pauses], [5, [500, 1_000, 2_000, 4_000]]);
    await eventually('connections are let go', () => plain.connections() === 0);
  });
}

test('what comes right at the fifth try is reported', async () => {
  plain.begin((_, response) =>
    plain.received.length < 5 ? response.writeHead(503).end() : json(response, { fine: true }),
  );
  assert.equal((await ask(plain.origin)).json, { fine: true });
});

test('Retry-After is kept to', async () => {
  plain.begin((_, response) =>
    plain.received.length < 3 ? response.writeHead(429, { 'retry-after': '3' }).end() : json(response, {}),
  );
  await ask(plain.origin);
  assert.equal(pauses, [3_000, 3_000]);
});

test('a provider that is silent, or drips, is given up after the time of a request', async () => {
  for (const answer of [
    () => {},
    ((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(drip));
    }) satisfies Answer,
  ]) {
    plain.begin(answer);
    const began = performance.now();
    assert.is(await problemOf(ask(plain.origin, { timeoutMs: 120 })), 'unavailable');
    assert.is(plain.received.length, 5);
    assert.ok(performance.now() - began < 5_000);
    await eventually('connections are let go', () => plain.connections() === 0);
  }
});

test('whoever waits is told when the patience has ended, and at once where the next try would come too late', async () => {
  plain.begin(() => {});
  const slow = await failureOf(ask(plain.origin, {}, { timeoutMs: 150 }));
  assert.equal([slow.problem, plain.received.length], ['unavailable', 1]);
  plain.begin((_, response) => response.writeHead(429, { 'retry-after': '60' }).end());
  const limited = await failureOf(ask(plain.origin, {}, { timeoutMs: 10_000 }));
  assert.equal([limited.problem, limited.retryAfter, plain.received.length, pauses], ['rate_limited', 60, 1, []]);
});

test('a conversation whose signal is raised ends in mid-request and in mid-pause', async () => {
  for (const answer of [() => {}, ((_, response) => response.writeHead(503).end()) satisfies Answer]) {
    plain.begin(answer);
    const controller = new AbortController();
    const client = createHttpClient({ trustedHosts: new Set([plain.host]), timeoutMs: 10_000 });
    const session = client.openSession({ signal: controller.signal });
    const asked = failureOf(session.request({ method: 'GET', url: new URL(plain.origin) }));
    await eventually('it is asked', () => plain.received.length === 1);
    controller.abort();
    assert.is((await asked).problem, 'unavailable');
    session.close();
    await eventually('connections are let go', () => plain.connections() === 0);
  }
});

test.run();
