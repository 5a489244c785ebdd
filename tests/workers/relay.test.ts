// The relay: an event becomes jobs exactly once, also with several relays at work, and waits while the queue is away.

import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { object } from '../../src/http/schemas.ts';
import { appendEvents, eventKind, happened } from '../../src/kernel/events.ts';
import { type Reaction, reaction as reactionTo } from '../../src/kernel/jobs.ts';
import { inContext } from '../../src/platform/db.ts';
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

const payload = object({ index: Type.Integer() });
const tested = eventKind({ topic: 'test.happened', summary: '', payload });
const unheard = eventKind({ topic: 'test.unheard', summary: '', payload });

const reaction = reactionTo({
  name: 'test',
  to: [tested],
  toJobs: async (_trx, events) => events.map(({ id }) => ({ queue: 'test', id: `test-${id}`, data: { id } })),
});

const happen = (count: number, kind: typeof tested | typeof unheard = tested) =>
  inContext(app.services.db, { organizationId }, (trx) =>
    appendEvents(
      trx,
      app.clock.now(),
      Array.from({ length: count }, (_, index) => happened(kind, organizationId, { index })),
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
  await happen(1, unheard);
  assert.is(await drain(queues), 1);
  assert.is(queues.jobs.length, 0);
});

test('an event of a transaction that rolls back never happened', async () => {
  const failed = inContext(app.services.db, { organizationId }, async (trx) => {
    await appendEvents(trx, app.clock.now(), [happened(tested, organizationId, { index: 0 })]);
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
