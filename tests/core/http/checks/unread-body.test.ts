// own process: it measures what bodies take in memory.
// Bodies of callers without permission are not read, slow ones hold no connection, and the sum of all bodies is bounded.
import http from 'node:http';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ok } from '#core/http/answers.ts';
import { BodyBudget } from '#core/http/checks/body-budget.ts';
import type { Actor, Claims } from '#core/http/route.ts';
import { object } from '#core/http/schemas.ts';
import type { Envelope } from '#core/http/server/envelope.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { eventually } from '../../../harness/eventually.ts';
import { type Fixture, fixtureRoutes, useRoutes, writeNote } from '../fixture.ts';

const megabyte = 1024 * 1024;

const upload = fixtureRoutes.route({
  method: 'post',
  path: '/uploads',
  operation: 'upload',
  summary: 'Fixture',
  tag: 'fixture',
  demo: 'loop',
  allow: ['UPLOAD'],
  scope: { reach: 'fixture', resolve: async () => ({ row: undefined }) },
  bodyLimitBytes: 5 * megabyte,
  body: object({
    text: Type.String({ maxLength: 5 * megabyte }),
    list: Type.Optional(Type.Array(Type.Integer(), { maxItems: 9 })),
  }),
  answers: { 200: object({ length: Type.Integer() }) },
  run: async ({ body }) => ok({ length: body.text.length }),
});

/** The bearer token is the name of the caller; a number at its end makes it another person. */
async function verifyToken(authorization: string | undefined): Promise<Claims> {
  if (authorization === undefined) throw new AppError('TOKEN_MISSING', 'Sign in.');
  const name = authorization.replace('Bearer ', '');
  return { userId: Number(/\d*$/.exec(name)?.[0] || 1), sessionId: name, organizationId: null };
}

async function authenticate(_trx: Trx, { userId, sessionId }: Claims): Promise<Actor> {
  const permissions = new Set(sessionId.startsWith('uploader') ? ['UPLOAD'] : []);
  return { userId, sessionId, organizationId: null, persona: 'TEACHER', permissions, isDemo: false };
}

interface Sent {
  readonly status: number;
  readonly code: string | undefined;
  readonly closed: boolean;
}

interface Sending {
  readonly token?: string;
  readonly totalBytes: number;
  /** Awaited after each chunk of 64 KiB. Default: as fast as the server reads them. */
  readonly pause?: () => Promise<unknown>;
  readonly streamed?: boolean;
}

/** Sends a text until it is complete or the connection ends, and returns the response. */
function sendTo(service: Fixture, path: string, { token, totalBytes, pause, streamed }: Sending): Promise<Sent> {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(totalBytes - '{"text":""}'.length) }));
  const headers = {
    'content-type': 'application/json',
    ...(streamed ? {} : { 'content-length': body.length }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    let answer: Omit<Sent, 'closed'> | undefined;
    const request = http.request(service.url() + path, { method: 'POST', headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      answer = { status: response.statusCode ?? 0, code: (JSON.parse(text) as Envelope).code };
      resolve({ ...answer, closed: response.headers.connection === 'close' });
    });
    request.on('error', (error) => answer ?? reject(error));
    void writeAll(request, body, pause);
  });
}

async function writeAll(request: http.ClientRequest, body: Buffer, pause?: () => Promise<unknown>): Promise<void> {
  request.setMaxListeners(0);
  for (let at = 0; at < body.length && !request.destroyed; at += 64 * 1024) {
    if (!request.write(body.subarray(at, at + 64 * 1024))) {
      await new Promise((resolve) => request.once('drain', resolve).once('close', resolve));
    }
    await pause?.();
  }
  request.end();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const many = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));
const same = (answers: readonly Sent[]) => [...new Set(answers.map((answer) => JSON.stringify(answer)))];

const known = suite('known before read');
const service = useRoutes(known, [upload, writeNote], { pipeline: { verifyToken, authenticate } });

known('200 times 5 MiB without a token: 401, the connections end, and memory stays', async () => {
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 20);
  let answers: Sent[] = [];
  for (let batch = 0; batch < 10; batch++) {
    answers = answers.concat(await many(20, () => sendTo(service, '/uploads', { totalBytes: 5 * megabyte - 100 })));
  }
  clearInterval(watch);
  assert.is(answers.length, 200);
  assert.equal(same(answers), [JSON.stringify({ status: 401, code: 'TOKEN_MISSING', closed: true })]);
  // 20 senders in this process hold 5 MiB each; if the service kept the bodies, it would be twice that.
  assert.ok(most - before < 160 * megabyte, `${((most - before) / megabyte).toFixed(0)} MiB`);
});

known('without the permission: 403 before a large body is read, announced or streamed', async () => {
  for (const streamed of [false, true]) {
    // A caller that waits for the whole body would wait for ever.
    const begun = { token: 'reader', totalBytes: 5 * megabyte - 100, pause: () => new Promise(() => {}), streamed };
    assert.equal(await sendTo(service, '/uploads', begun), { status: 403, code: 'PERMISSION_DENIED', closed: true });
  }
});

known('with token and permission the large body is read', async () => {
  for (const streamed of [false, true]) {
    const sent = { token: 'uploader', totalBytes: 5 * megabyte - 100, streamed };
    assert.is((await sendTo(service, '/uploads', sent)).status, 200);
  }
});

known('twenty slow bodies hold no connection to the database', async () => {
  let arrived = 0;
  const count = () => (arrived += 1);
  service.http().server.on('request', count);
  let goOn = (_value?: unknown) => {};
  const reportedRows = new Promise((resolve) => {
    goOn = resolve;
  });
  const slow = many(20, (at) =>
    sendTo(service, '/uploads', { token: `uploader${at}`, totalBytes: megabyte, pause: () => reportedRows }),
  );
  await eventually('the twenty are there', () => arrived === 20);
  service.http().server.off('request', count);
  const quick = await service.post('/uploads', { text: 'x' }, { token: 'uploader' });
  // Callers are looked up first.
  await eventually('no connection is in use', () => service.db.client.pool.numUsed() === 0);
  assert.is(quick.status, 200);
  goOn();
  const statuses = (await slow).map(({ status }) => status);
  assert.equal(statuses, Array(20).fill(200));
});

known('a client that gives up leaves one line and one measurement', async () => {
  service.logged.length = 0;
  service.measured.length = 0;
  const headers = { 'content-type': 'application/json', 'content-length': 1_000, 'x-request-id': 'given-up' };
  const request = http.request(`${service.url()}/notes/1`, { method: 'POST', headers });
  request.on('error', () => {});
  request.write('{"text":');
  service.http().server.once('request', () => setImmediate(() => request.destroy()));
  await eventually('a measurement', () => service.measured.length > 0);
  assert.equal(service.measured, ['writeNote 499']);
  const lines = service.logged.filter(({ requestId }) => requestId === 'given-up');
  assert.equal(
    lines.map(({ operation, status, aborted }) => ({ operation, status, aborted })),
    [{ operation: 'writeNote', status: 499, aborted: true }],
  );
});

known.run();

const bounded = suite('budget');
const budget = new BodyBudget(megabyte);
const small = useRoutes(bounded, [upload], { pipeline: { verifyToken, authenticate }, bodyBudget: budget });

bounded('more than the budget at once: 503 with retryAfter, and all of it is given back', async () => {
  const sent = { token: 'uploader', totalBytes: 600 * 1024, pause: () => pause(50) };
  const answers = await many(6, (at) => sendTo(small, '/uploads', { ...sent, token: `uploader${at}` }));
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length >= 1 && refused.every(({ code, closed }) => code === 'ENGINE_UNAVAILABLE' && closed));
  assert.is((await sendTo(small, '/uploads', sent)).status, 200);
  assert.ok(budget.take(megabyte), 'everything was given back');
  assert.not.ok(budget.take(1));
  const spent = await small.post<Envelope>('/uploads', { text: 'x' }, { token: 'uploader' });
  assert.equal([spent.status, spent.headers.get('retry-after')], [503, String(spent.body.retryAfter)]);
  budget.release(megabyte);
});

bounded.run();

const alone = suite('one of a person');
const taken = new BodyBudget(8 * megabyte);
const shared = useRoutes(alone, [upload], { pipeline: { verifyToken, authenticate }, bodyBudget: taken });

/** Resolves when some bytes of a body have been received, and its person has been served. */
function isReceiving(): boolean {
  const isWhole = taken.take(8 * megabyte);
  if (isWhole) taken.release(8 * megabyte);
  return !isWhole;
}

alone('a second large body of a person is 429 `busy` while the first is on its way, others are served', async () => {
  let goOn = (_value?: unknown) => {};
  const reportedRows = new Promise((resolve) => {
    goOn = resolve;
  });
  const slow = sendTo(shared, '/uploads', { token: 'uploader7', totalBytes: megabyte, pause: () => reportedRows });
  await eventually('the first is being received', isReceiving);
  const large = { text: 'x'.repeat(megabyte) };
  const post = (body: object, token: string) => shared.post<Envelope>('/uploads', body, { token });
  const { status, body } = await post(large, 'uploader7');
  assert.equal([status, body.code, body.details], [429, 'RATE_LIMITED', [{ field: '', issue: 'busy' }]]);
  assert.is(body.retryAfter, 1);
  assert.is((await post({ text: 'x' }, 'uploader7')).status, 200, 'a small one');
  assert.is((await post(large, 'uploader8')).status, 200, 'another person');
  goOn();
  assert.is((await slow).status, 200);
  assert.is((await post(large, 'uploader7')).status, 200, 'the next one');
});

alone('a large body is validated in its thread: only the first fault is reported, which is the size', async () => {
  const list = Array(200_000).fill(1);
  const { status, body } = await shared.post<Envelope>('/uploads', { text: 'x', list }, { token: 'uploader' });
  assert.equal([status, body.details], [422, [{ field: 'list', issue: 'must NOT have more than 9 items' }]]);
});

alone.run();
