// The relay: an event becomes jobs exactly once, also with several relays at work, and waits while the queue is away.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reaction } from '../../src/kernel/jobs.ts';
import { inContext } from '../../src/platform/db.ts';
import { promise } from '../../src/platform/outbox.ts';
import type { Job, Queues } from '../../src/platform/queue.ts';
import { relayBatch } from '../../workers/relay.ts';
import { retryDue } from '../../workers/retries.ts';
import { buildOrganization } from '../support/factories.ts';
import { useApp } from '../support/http.ts';

const test = suite('relay');
const app = useApp(test);
const { owner } = app.database;
let organizationId: string;

test.before(async () => {
  organizationId = (await buildOrganization(app.database.owner, {})).id;
});

/** A queue that remembers what it was given; `down` makes it unreachable. */
function rememberingQueues(): Queues & { jobs: Job[]; down: boolean } {
  const queues = {
    jobs: [] as Job[],
    down: false,
    add: async (jobs: readonly Job[]) => {
      if (queues.down) throw new Error('queue down');
      queues.jobs.push(...jobs);
    },
    work: () => ({ close: async () => {} }),
    ping: async () => {},
    state: async () => ({ waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 }),
    close: async () => {},
  };
  return queues;
}

const reaction: Reaction = {
  name: 'test',
  topics: ['test.happened'],
  toJobs: async (_trx, events) => events.map(({ id }) => ({ queue: 'test', id: `test-${id}`, data: { id } })),
};

const happen = (count: number, topic = 'test.happened') =>
  inContext(app.services.db, { organizationId }, (trx) =>
    promise(
      trx,
      app.clock.now(),
      Array.from({ length: count }, (_, index) => ({ organizationId, topic, payload: { index } })),
    ),
  );

async function drain(queues: Queues, relays = 1): Promise<number> {
  let moved = 0;
  for (;;) {
    const counts = await Promise.all(
      Array.from({ length: relays }, () => relayBatch(app.services, queues, [reaction])),
    );
    const sum = counts.reduce((total, count) => total + count, 0);
    if (sum === 0) return moved;
    moved += sum;
  }
}

const waiting = async () =>
  Number((await app.database.owner('outbox').whereNull('relayedAt').count('* as n').first())?.n);

test('each event becomes one job, and none is left', async () => {
  const queues = rememberingQueues();
  await happen(3);
  assert.is(await drain(queues), 3);
  assert.is(queues.jobs.length, 3);
  assert.is(await waiting(), 0);
  assert.is(await drain(queues), 0, 'nothing is moved twice');
});

test('four relays share a thousand events and none is moved twice', async () => {
  const queues = rememberingQueues();
  await happen(1000);
  assert.is(await drain(queues, 4), 1000);
  assert.is(new Set(queues.jobs.map(({ id }) => id)).size, 1000);
  assert.is(queues.jobs.length, 1000);
});

test('an event that nobody reacts to is relayed to nobody', async () => {
  const queues = rememberingQueues();
  await happen(1, 'test.unheard');
  assert.is(await drain(queues), 1);
  assert.is(queues.jobs.length, 0);
});

test('an event of a transaction that rolls back never happened', async () => {
  const failed = inContext(app.services.db, { organizationId }, async (trx) => {
    await promise(trx, app.clock.now(), [{ organizationId, topic: 'test.happened', payload: {} }]);
    throw new Error('undone');
  });
  await failed.catch(() => {});
  assert.is(await waiting(), 0);
});

test('a reaction that fails puts its events aside; they come again when it works', async () => {
  const queues = rememberingQueues();
  await happen(2);
  let broken = true;
  const failing: Reaction = {
    ...reaction,
    name: 'test-failing',
    toJobs: async (...args) => (broken ? Promise.reject(new Error('not now')) : reaction.toJobs(...args)),
  };
  await relayBatch(app.services, queues, [failing, reaction]);
  assert.is(queues.jobs.length, 2, 'its sibling had its turn');
  assert.is(await waiting(), 0);
  broken = false;
  app.clock.advance(5_000);
  await retryDue(app.services, queues, [failing, reaction], app.services.log);
  assert.is(queues.jobs.length, 4);
  assert.is((await owner('outbox_retry')).length, 0);
});

test.run();
