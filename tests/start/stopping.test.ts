// timeout: 480s
// waits: for the limits that clients, jobs and stores have when a process stops.
// SIGTERM ends the process within 15 s, whatever clients, jobs and stores do.
import net from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildChild, finishDiagnostic, progressOf } from '../faults/world.ts';
import { useDatabase } from '../harness/database.ts';
import { installShippedRules } from '../harness/rules.ts';
import { type Gate, gate } from './gate.ts';
import { onDatabase, type Program, ready, usePrograms, within, withOwnRedis } from './program.ts';

const test = suite('stopping');
const database = useDatabase(test);
const run = usePrograms(test);
const limitMs = 15_000;

const portOf = (address: string | undefined) => Number(new URL(address ?? '').port);

/** A client that never completes its request. */
function slowClient(port: number): { closed: Promise<number>; end(): void } {
  const from = performance.now();
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
  );
  const dripping = setInterval(() => socket.write(' '), 500);
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now() - from)));
  return {
    closed,
    end() {
      clearInterval(dripping);
      socket.destroy();
    },
  };
}

/** Whether a statement waits for the table that a test has locked. */
async function waitsFor(table: string): Promise<boolean> {
  const { rows } = await database.owner.raw(
    `select from pg_locks where relation = ?::regclass and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    [table],
  );
  return rows.length > 0;
}

test('a client that sends a byte each half second is cut off', async () => {
  const service = run('src/main.ts', onDatabase(database));
  const [, address] = await service.until(ready);
  const client = slowClient(portOf(address));
  await new Promise((resolve) => setTimeout(resolve, 700));
  const { code, ms } = await service.stop();
  client.end();
  assert.is(code, 0);
  assert.ok(ms > 5_000 && ms < limitMs, `${ms} ms`);
});

test('a request in progress gets its response while the process stops', async () => {
  const service = run('src/main.ts', { ...onDatabase(database), WORKERS: 'none' });
  const [, address] = await service.until(ready);
  const holder = await database.owner.transaction();
  await holder.raw('lock table app_user in access exclusive mode');
  const login = fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@example.org', password: 'a long secret' }),
  });
  await within(60_000, 'the login waits', () => waitsFor('app_user'));
  const stopped = service.stop();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await holder.rollback();
  assert.is((await login).status, 401);
  assert.is((await stopped).code, 0);
});

test('a slow client is closed by the limits of the listening server', async () => {
  const service = run('src/main.ts', { ...onDatabase(database), WORKERS: 'none' });
  const [, address] = await service.until(ready);
  const socket = net.connect(portOf(address), '127.0.0.1');
  const from = performance.now();
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now() - from)));
  socket.on('error', () => {});
  socket.resume();
  socket.write('GET /healthz HTTP/1.1\r\n');
  const ms = await closed;
  assert.ok(ms > 14_000 && ms < 22_000, `headers are awaited for 15 s and checked every 5: ${ms} ms`);
  assert.is((await service.stop()).code, 0);
});

test('a running job that is blocked', async () => {
  await installShippedRules(database.owner);
  const child = await buildChild(database.owner);
  const worker = run('workers/main.ts', onDatabase(database));
  await worker.until(/Workers are running/);
  const blocker = await database.owner.transaction();
  try {
    await blocker.raw('lock table sse_domain_snapshot in exclusive mode');
    await finishDiagnostic(database.owner, child, ['LK_SOUND', 'DEC_WORD']);
    await within(60_000, 'the job waits', () => waitsFor('sse_domain_snapshot'));
    const { ms } = await worker.stop();
    assert.ok(ms < limitMs, `${ms} ms`);
  } finally {
    await blocker.rollback();
  }
  assert.is((await progressOf(database.owner, child))?.processedSeq, 0, 'the request is open');
});

withOwnRedis('SIGTERM after Redis was killed', (start) => {
  test('Redis killed before SIGTERM', async () => {
    const redis = await start();
    try {
      const service = run('src/main.ts', { ...onDatabase(database), REDIS_URL: redis.url });
      const [, address] = await service.until(ready);
      await within(60_000, 'ready', async () => (await fetch(`${address}/readyz`)).ok);
      redis.kill();
      await within(60_000, 'Redis is gone', async () => !(await fetch(`${address}/readyz`)).ok);
      const { ms } = await service.stop();
      assert.ok(ms < limitMs, `${ms} ms`);
    } finally {
      redis.kill();
    }
  });
});

test('PostgreSQL silent at SIGTERM', async () => {
  const store = await gate(database.ownerUrl);
  const settings = onDatabase(database);
  const service = run('src/main.ts', {
    ...settings,
    DATABASE_URL: store.through(settings.DATABASE_URL),
    DATABASE_APP_URL: store.through(settings.DATABASE_APP_URL),
  });
  const { code, ms } = await stopInSilence(service, store).finally(store.shut);
  assert.ok(ms < limitMs, `${ms} ms`);
  assert.is(code, 1, 'a part did not end, as the exit code reports');
});

async function stopInSilence(service: Program, store: Gate) {
  const [, address] = await service.until(ready);
  store.silence();
  await within(60_000, 'not ready', async () => !(await fetch(`${address}/readyz`)).ok);
  return service.stop();
}

test.run();
