// timeout: 300s
// alone: it measures how long a sign-in takes beside a burst.
// Requests of one person do not block others: they sign in within 300 ms (p95) beside 40 heavy requests of one person,
// beside 14 sheets of quick codes and 300 letters, and beside a hostile learning platform and an upload of 20 MiB (contract 11,
// "One person"). The service is a process of its own.
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useDatabase } from '../../harness/database.ts';
import { buildClass, buildStudent, buildTeacher, buildUser, type UserRow } from '../../harness/factories.ts';
import { password, passwordHash } from '../../harness/passwords.ts';
import { onDatabase, ready, usePrograms } from '../../start/program.ts';

const test = suite('one person beside others');
const database = useDatabase(test);
const { owner } = database;
const run = usePrograms(test);

const students = 20;
/** Contract 11. */
const signInMs = 300;
/** Other work of the machine disturbs some rounds, which says nothing about the service. */
const rounds = 5;
const signInsOfRound = 20;

let address = '';
let busy: UserRow;
let victim: UserRow;
let tokens: Readonly<Record<'busy' | 'victim', string>>;
let classId = 0;
let studentIds: number[] = [];

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, bytes: await answer.arrayBuffer(), headers: answer.headers };
}

async function get(path: string, token?: string): Promise<number> {
  const answer = await fetch(`${address}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  await answer.arrayBuffer();
  return answer.status;
}

const login = (user: UserRow) => post('/api/auth/login', { email: user.email, password });
async function tokenOf(user: UserRow): Promise<string> {
  const { bytes } = await login(user);
  return (JSON.parse(Buffer.from(bytes).toString()) as { accessToken: string }).accessToken;
}

/** Responds with a token, and then with pages of empty objects, as long as a page may be and longer. */
const hostileServer = `
const { parentPort } = require('node:worker_threads');
const http = require('node:http');
const pages = [2, 4].map((mebi) => '{"classes":[' + '{},'.repeat((mebi * 1024 * 1024 - 64) / 3) + '{}]}');
let asked = 0;
const server = http.createServer((request, response) => {
  request.resume();
  response.setHeader('content-type', 'application/json');
  if (request.url.startsWith('/token')) response.end('{"access_token":"t","token_type":"bearer","expires_in":3600}');
  else response.end(pages[asked++ % pages.length]);
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

let platform = '';

test.before(async () => {
  const hostile = new Worker(hostileServer, { eval: true });
  hostile.unref();
  platform = `127.0.0.1:${await new Promise((resolve) => hostile.once('message', resolve))}`;
  const service = run('src/main.ts', {
    ...onDatabase(database),
    RATE_LIMIT_USER_PER_MINUTE: '1000000',
    LMS_TRUSTED_HOSTS: platform,
  });
  address = (await service.until(ready))[1] ?? '';
  const classRow = await buildClass(owner, { grade: 2 });
  classId = classRow.id;
  for (let at = 0; at < students; at++) studentIds = [...studentIds, (await buildStudent(owner, classRow)).id];
  const { organizationId } = classRow;
  busy = await buildUser(owner, 'ADMIN', { organizationId });
  victim = await buildTeacher(owner, classRow);
  await owner('app_user')
    .whereIn('id', [busy.id, victim.id])
    .update({ passwordHash: await passwordHash() });
  tokens = { busy: await tokenOf(busy), victim: await tokenOf(victim) };
});

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept?: string;
  readonly body?: string;
}

/** Runs in a thread, so that the sender does not delay the measurement. */
const sender = `
const { parentPort, workerData: { address, token, burst } } = require('node:worker_threads');
const seen = new Map();
let ended = false;
parentPort.once('message', () => { ended = true; });
async function send({ method, path, accept = '*/*', body }) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: 'Bearer ' + token, accept, ...type };
  const answer = await fetch(address + path, { method, headers, body });
  await answer.arrayBuffer();
  seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
}
(async () => {
  while (!ended) await Promise.all(burst.map(send));
  parentPort.postMessage(seen);
})();`;

/** Sends the requests concurrently and repeatedly until it is stopped. Returns the counts of statuses. */
function bursts(burst: readonly Sent[]) {
  const worker = new Worker(sender, { eval: true, workerData: { address, token: tokens.busy, burst } });
  const seen = new Promise<ReadonlyMap<number, number>>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return {
    end: () => {
      worker.postMessage('end');
      return seen;
    },
  };
}

async function p95OfRound(): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < signInsOfRound; at++) {
    const startedAt = performance.now();
    assert.is((await login(victim)).status, 200);
    all.push(performance.now() - startedAt);
    assert.is(await get('/readyz'), 200);
    assert.is(await get('/api/auth/me', tokens.victim), 200);
  }
  return all.sort((a, b) => a - b)[Math.ceil(0.95 * all.length) - 1] ?? Number.POSITIVE_INFINITY;
}

async function assertOthersSignIn(burst: readonly Sent[]): Promise<ReadonlyMap<number, number>> {
  const load = bursts(burst);
  const measured: number[] = [];
  while (measured.length < rounds && !measured.some((ms) => ms <= signInMs)) measured.push(await p95OfRound());
  const seen = await load.end();
  const reported = measured.map((ms) => Math.round(ms)).join(', ');
  assert.ok(
    Math.min(...measured) <= signInMs,
    `p95 of sign-in in ms: ${reported}; answers: ${JSON.stringify([...seen])}`,
  );
  return seen;
}

test('others sign in and read beside 40 heavy requests of one person at once', async () => {
  const paths = [
    `/api/rti/classes/${classId}/board`,
    `/api/students/${studentIds[0]}/data-room`,
    `/api/students/${studentIds[1]}/data-export`,
    `/api/sse/classes/${classId}/next-data-plan`,
  ];
  const seen = await assertOthersSignIn(
    Array.from({ length: 40 }, (_, at) => ({ method: 'GET', path: paths[at % paths.length] ?? '' })),
  );
  assert.equal([...seen.keys()].sort(), [200, 429]);
});

test('others sign in and print beside 14 sheets of quick codes and 300 letters of one person at once', async () => {
  const path = `/api/classes/${classId}/quick-codes`;
  const sheets = Array.from({ length: 14 }, (): Sent => ({ method: 'POST', path, accept: 'application/pdf' }));
  const letterOf = (at: number): string => `/api/parent/pdf/${studentIds[at % students]}`;
  const letters = Array.from({ length: 300 }, (_, at): Sent => ({ method: 'POST', path: letterOf(at), body: '{}' }));
  const seen = await assertOthersSignIn([...sheets, ...letters]);
  assert.ok((seen.get(429) ?? 0) > 0 && !seen.has(500) && !seen.has(503), JSON.stringify([...seen]));
  const load = bursts(letters);
  const authorization = `Bearer ${tokens.victim}`;
  for (let times = 0; times < 3; times++) assert.is((await post(letterOf(times), {}, { authorization })).status, 200);
  await load.end();
});

test('others sign in beside an upload of 20 MiB and a learning platform that answers with hostile pages', async () => {
  const mebi = 1024 * 1024;
  const upload = `{"type":"csv","files":[${'{},'.repeat((20 * mebi - 64) / 3)}{}]}`;
  const rest = {
    type: 'rest',
    baseUrl: `http://${platform}/school`,
    tokenUrl: `http://${platform}/token`,
    clientId: 'id',
    clientSecret: 'secret',
  };
  const path = '/api/lms/connections/test';
  const trials = Array.from({ length: 4 }, (): Sent => ({ method: 'POST', path, body: JSON.stringify(rest) }));
  const seen = await assertOthersSignIn([{ method: 'POST', path, body: upload }, ...trials]);
  assert.ok((seen.get(422) ?? 0) > 0, JSON.stringify([...seen]));
  assert.equal(
    [...seen.keys()].filter((status) => ![200, 422, 429, 503].includes(status)),
    [],
  );
});

test.run();
