// The queues on both stores: no job twice while it waits, retries, draining, separate names.
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '#core/platform/process/logger.ts';
import { SharedListener } from '#core/platform/queue/listener.ts';
import {
  type Job,
  openQueues,
  type QueueOptions,
  type Queues,
  type RunningWorker,
} from '#core/platform/queue/queue.ts';
import { useDatabase } from '../harness/database.ts';
import { withRedis } from '../harness/needs.ts';

const log = createLogger('silent');

async function eventually(holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function queueSuite(name: string, store: (databaseUrl: string, databaseName: string) => QueueOptions): void {
  const test = suite(`queue on ${name}`);
  const database = useDatabase(test);
  let queues: Queues;
  test.before(() => {
    queues = openQueues(store(database.appUrl, database.name));
  });
  test.after(() => queues.close());

  const job = (queue: string, id: string): Job => ({ queue, id, data: { id } });

  test('a job is handled once, however often it is added while it waits', async () => {
    const handled: unknown[] = [];
    for (let round = 0; round < 5; round++) await queues.add([job('once', 'a-1'), job('once', 'a-2')]);
    const worker = queues.work('once', 2, async ({ id }) => {
      handled.push(id);
    });
    await eventually(() => handled.length >= 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await worker.close();
    assert.equal(handled.sort(), ['a-1', 'a-2']);
  });

  test('a finished job may be added again', async () => {
    let handled = 0;
    const worker = queues.work('again', 1, async () => {
      handled += 1;
    });
    await queues.add([job('again', 'b-1')]);
    await eventually(() => handled === 1);
    await eventually(() => true);
    for (let tries = 0; tries < 50 && handled < 2; tries++) {
      await queues.add([job('again', 'b-1')]);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await worker.close();
    assert.ok(handled >= 2);
  });

  test('a failed job is retried', async () => {
    let tries = 0;
    const worker = queues.work('retry', 1, async () => {
      tries += 1;
      if (tries < 2) throw new Error('first try fails');
    });
    await queues.add([job('retry', 'c-1')]);
    await eventually(() => tries === 2);
    await worker.close();
  });

  test('closing waits for the running job', async () => {
    let finished = false;
    let started = false;
    const worker = queues.work('drain', 1, async () => {
      started = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
      finished = true;
    });
    await queues.add([job('drain', 'd-1')]);
    await eventually(() => started);
    await worker.close();
    assert.is(finished, true);
  });

  test('the store answers a ping', () => queues.ping());

  test('its state has the number of waiting jobs and the age of the oldest', async () => {
    assert.equal(await queues.state('idle'), { waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 });
    await queues.add([job('idle', 'first')]);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await queues.add([job('idle', 'second')]);
    const { waiting, oldestSeconds } = await queues.state('idle');
    assert.is(waiting, 2);
    assert.ok(oldestSeconds >= 1, `${oldestSeconds} s`);
  });

  test.run();
}

queueSuite('PostgreSQL', (connectionString) => ({ log, postgres: { connectionString } }));

const shared = suite('connections of queues');
const database = useDatabase(shared);
/** The longest time for which the library waits before it polls. */
const looksAgainAfterMs = 5_000;
let queues: Queues;

shared.before(() => {
  queues = openQueues({ log, postgres: { connectionString: database.appUrl } });
});
shared.after(async () => {
  await Promise.all(working.map((worker) => worker.close()));
  await queues.close();
});

const connections = async (condition = 'true'): Promise<number> => {
  const { rows } = await database.owner.raw(
    `select count(*)::integer as open from pg_stat_activity
     where datname = current_database() and usename <> current_user and ${condition}`,
  );
  return rows[0].open;
};

const names = Array.from({ length: 12 }, (_, at) => `shared-${at}`);
const handled = new Set<string>();
const working: RunningWorker[] = [];

/** Adds a job to each queue. Returns how long the slowest took. */
async function throughAll(round: string): Promise<number> {
  const from = performance.now();
  await queues.add(names.map((queue) => ({ queue, id: `${round}-${queue}`, data: { id: round } })));
  await eventually(() => names.every((name) => handled.has(`${round} ${name}`)));
  return performance.now() - from;
}

shared('a dozen queues share what a process opens: four connections for statements and one that listens', async () => {
  for (const name of names) {
    working.push(queues.work(name, 2, async ({ id }) => void handled.add(`${id} ${name}`)));
  }
  await throughAll('first');
  assert.ok((await connections()) <= 5, `${await connections()} connections`);
  assert.is(await connections("query ilike '%listen bullmq_jobs%'"), 1);
});

shared('each is woken by what is added for it', async () => {
  await pause(500);
  assert.ok((await throughAll('second')) < looksAgainAfterMs / 2);
});

shared('connections that were cut are made again, and wake as before', async () => {
  await database.owner.raw(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and usename <> current_user`,
  );
  await untilListening();
  assert.ok((await throughAll('third')) < looksAgainAfterMs / 2);
  assert.ok((await connections()) <= 5, `${await connections()} connections`);
});

shared('a statement that fails on the connection that listens leaves no one deaf who listens on it', async () => {
  const listener = new SharedListener({ connectionString: database.appUrl });
  const [sound, faulty] = [new EventEmitter(), new EventEmitter()];
  const heard: string[] = [];
  sound.on('notification', ({ payload }: { payload: string }) => heard.push(payload));
  sound.on('error', () => heard.push('lost'));
  await listener.listen(sound, 'listen heard');
  await listener.listen(faulty, 'listen ;').then(
    () => assert.unreachable('no statement'),
    ({ code }: { code?: string }) => assert.is(code, '42601'),
  );
  assert.equal(heard, ['lost']);
  await listener.listen(sound, 'listen heard');
  await database.owner.raw("select pg_notify('heard', 'again')");
  await eventually(() => heard.length === 2);
  assert.equal(heard, ['lost', 'again']);
  await listener.close();
  await listener.listen(sound, 'listen heard').then(
    () => assert.unreachable('it is closed'),
    ({ message }: Error) => assert.match(message, /closed/),
  );
});

async function untilListening(): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await connections("query ilike '%listen bullmq_jobs%'")) === 0) {
    if (Date.now() > deadline) throw new Error('no one listens again');
    await pause(50);
  }
  // All of them, not only the first.
  await pause(1_500);
}

shared.run();
withRedis('the queue on Redis', (redisUrl) =>
  queueSuite('Redis', (connectionString, prefix) => ({ log, redisUrl, prefix, postgres: { connectionString } })),
);
