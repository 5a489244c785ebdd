// The relay: an event becomes jobs exactly once, also with several relays, and waits while the queue is down.

import pg from 'pg';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { object } from '#core/http/schemas.ts';
import { appendEvents, eventKind, type Lane, newEvent } from '#core/module/events.ts';
import { type Reaction, reaction as reactionTo } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { Job, Queues } from '#core/platform/queue/queue.ts';
import { relayAll, relayBatch } from '../../workers/relay.ts';
import { retryDue } from '../../workers/retries.ts';
import { buildOrganization } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';

const test = suite('relay');
const app = useApp(test);
const { owner } = app.database;
let organizationId: string;

test.before(async () => {
  organizationId = (await buildOrganization(app.database.owner, {})).id;
});

/** A queue that records its jobs; `down` makes it unreachable. */
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

const happenIn = (place: string, count: number, lane: Lane = 'fresh', kind: typeof tested | typeof unheard = tested) =>
  inContext(app.services.db, { organizationId: place }, (trx) =>
    appendEvents(
      trx,
      app.clock.now(),
      Array.from({ length: count }, (_, index) => newEvent(kind, place, { index })),
      lane,
    ),
  );
const happen = (count: number, kind: typeof tested | typeof unheard = tested) =>
  happenIn(organizationId, count, 'fresh', kind);

test('the relay is woken after a commit, and not after a rollback', async () => {
  const client = new pg.Client(app.database.appUrl);
  await client.connect();
  let reported = 0;
  client.on('notification', () => (reported += 1));
  await client.query('listen outbox');
  const pause = () => new Promise((resolve) => setTimeout(resolve, 300));
  await pause();
  const before = reported;
  await inContext(app.services.db, { organizationId }, async (trx) => {
    await trx.transaction((savepoint) =>
      appendEvents(savepoint, app.clock.now(), [newEvent(tested, organizationId, { index: 0 })]),
    );
    await pause();
    assert.is(reported, before, 'no one is called before the commit');
  });
  for (let wait = 0; wait < 30 && reported === before; wait++) await pause();
  assert.ok(reported > before);
  const after = reported;
  const failed = inContext(app.services.db, { organizationId }, async (trx) => {
    await appendEvents(trx, app.clock.now(), [newEvent(tested, organizationId, { index: 0 })]);
    throw new Error('undone');
  });
  await failed.catch(() => {});
  await pause();
  assert.is(reported, after);
  await client.end();
  await drain(rememberingQueues());
});

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

test('each event becomes one job, and no event is left', async () => {
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

test('fresh events come before those of a change of rules, and organizations alternate', async () => {
  const others = [await buildOrganization(owner), await buildOrganization(owner)];
  const [large = '', small = ''] = others.map(({ id }) => id).sort();
  await happenIn(organizationId, 1_000, 'later');
  await happenIn(large, 1_000);
  await happenIn(small, 1);
  const order: string[] = [];
  const watching: Reaction = {
    ...reaction,
    toJobs: async (_trx, events) => {
      order.push(`${events[0]?.organizationId} ${events.length}`);
      return [];
    },
  };
  const turn = { after: '' };
  const queues = rememberingQueues();
  await relayAll(app.services, queues, [watching], app.services.log, turn);
  const ofLarge = order.filter((text) => text.startsWith(large)).length;
  assert.equal(order.slice(0, 3), [`${large} 200`, `${small} 1`, `${large} 200`]);
  assert.equal(
    order.slice(0, ofLarge + 1).filter((text) => text.startsWith(organizationId)),
    [],
  );
  assert.is(order.length, ofLarge + 1 + 5);
});

test('a relay continues with the next organization if others hold the events of the first', async () => {
  const other = await buildOrganization(owner);
  await happen(1);
  await happenIn(other.id, 1);
  await owner.transaction(async (holder) => {
    await holder('outbox').where({ organizationId }).whereNull('relayedAt').forUpdate();
    assert.is(await relayBatch(app.services, rememberingQueues(), [reaction]), 1);
    assert.is(await relayBatch(app.services, rememberingQueues(), [reaction]), 0);
  });
  assert.is(await drain(rememberingQueues()), 1);
});

test('an event without reactions is relayed without jobs', async () => {
  const queues = rememberingQueues();
  await happen(1, unheard);
  assert.is(await drain(queues), 1);
  assert.is(queues.jobs.length, 0);
});

test('an event of a transaction that rolls back does not exist', async () => {
  const failed = inContext(app.services.db, { organizationId }, async (trx) => {
    await appendEvents(trx, app.clock.now(), [newEvent(tested, organizationId, { index: 0 })]);
    throw new Error('undone');
  });
  await failed.catch(() => {});
  assert.is(await waiting(), 0);
});

test('events of a failed reaction are stored and delivered again when it works', async () => {
  const queues = rememberingQueues();
  await happen(2);
  let broken = true;
  const failing: Reaction = {
    ...reaction,
    name: 'test-failing',
    toJobs: async (...args) => (broken ? Promise.reject(new Error('not now')) : reaction.toJobs(...args)),
  };
  await relayAll(app.services, queues, [failing, reaction]);
  assert.is(queues.jobs.length, 2, 'its sibling had its turn');
  assert.is(await waiting(), 0);
  broken = false;
  app.clock.advance(5_000);
  await retryDue(app.services, queues, [failing, reaction], app.services.log);
  assert.is(queues.jobs.length, 4);
  assert.is((await owner('outbox_retry')).length, 0);
});

test('events of the platform are relayed and retried, and delay no other', async () => {
  const queues = rememberingQueues();
  await inContext(app.services.db, 'SUPER', (trx) =>
    appendEvents(trx, app.clock.now(), [newEvent(tested, platformOrganizationId, { index: 0 })]),
  );
  await happen(1);
  let broken = true;
  const organizations: string[] = [];
  const failing: Reaction = {
    ...reaction,
    async toJobs(trx, events, ...at) {
      if (broken) throw new Error('not now');
      organizations.push(...events.map((event) => event.organizationId));
      return reaction.toJobs(trx, events, ...at);
    },
  };
  await relayAll(app.services, queues, [failing]);
  assert.is(await waiting(), 0);
  broken = false;
  app.clock.advance(5_000);
  await retryDue(app.services, queues, [failing], app.services.log);
  assert.equal(organizations.toSorted(), [organizationId, platformOrganizationId].toSorted());
  assert.is((await owner('outbox_retry')).length, 0);
});

test.run();
