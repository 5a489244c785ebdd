// An event that its reaction cannot process: it is retried separately, parked with an alert, and released after repair; all
// other events are processed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnosticFinished } from '#assessment/measurement/index.ts';
import { skillStatusCapability } from '#assessment/skill-status/index.ts';
import type { StoredEvent } from '#core/module/events.ts';
import { newId } from '#core/platform/ids.ts';
import type { Job, Queues } from '#core/platform/queue/queue.ts';
import { relayAll } from '../../workers/relay.ts';
import { retryDue } from '../../workers/retries.ts';
import { buildClass, buildStudent } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { capturedLog, noQueues } from './support.ts';

const test = suite('poison in the outbox');
const app = useApp(test);
const { owner } = app.database;
const { log, lines } = capturedLog();
const reactions = skillStatusCapability.reactions ?? [];
const jobs: Job[] = [];
const queues: Queues = {
  ...noQueues,
  add: async (more) => {
    jobs.push(...more);
  },
};

interface Child {
  readonly id: number;
  readonly organizationId: string;
}

async function child(): Promise<Child> {
  const classRow = await buildClass(owner);
  return { id: (await buildStudent(owner, classRow)).id, organizationId: classRow.organizationId };
}

async function finished({ organizationId, id: studentId }: Child): Promise<number> {
  const payload = JSON.stringify({ studentId, sessionId: newId() });
  const row = { organizationId, topic: 'diagnostic.finished', payload, createdAt: app.clock.now() };
  const [event] = await owner('outbox').insert(row).returning('id');
  return event.id;
}

const relay = () => relayAll(app.services, queues, reactions, log);
const retry = () => retryDue(app.services, queues, reactions, log);
const isAsked = async ({ id }: Child) => (await owner('sse_recompute_request').where({ studentId: id })).length === 1;
const gauge = async (name: string) =>
  Number(new RegExp(`^${name} (.*)$`, 'm').exec(await app.services.metrics.registry.metrics())?.[1]);
const lastParked = () => owner('outbox_retry').whereNotNull('parkedAt');

let victim: Child;
let poison: number;

test('the others are processed in the same batch, and the failed one is stored and logged', async () => {
  victim = await child();
  const stranger = await child();
  await finished(victim);
  poison = await finished({ ...victim, id: 987_654_321 });
  await finished(stranger);
  assert.is(await gauge('outbox_oldest_waiting_seconds'), 0);
  assert.is(await relay(), 3);
  assert.equal([await isAsked(victim), await isAsked(stranger), jobs.length], [true, true, 2]);
  assert.is(await relay(), 0, 'nothing comes again with the next batch');
  const [line] = lines.filter(({ eventId }) => eventId === poison);
  assert.equal(
    [line?.topic, line?.organizationId, line?.reaction, line?.attempts],
    ['diagnostic.finished', victim.organizationId, 'recompute-request', 1],
  );
});

test('it is tried five times with growing waits, and then parked with one alert', async () => {
  const pauses: number[] = [];
  for (let waited = 0; (await lastParked()).length === 0 && waited < 200; ) {
    const { attempts } = await owner('outbox_retry').where({ eventId: poison }).first('attempts');
    for (waited = 0; waited < 200; waited += 5) {
      app.clock.advance(5_000);
      await retry();
      const now = await owner('outbox_retry').where({ eventId: poison }).first('attempts');
      if (now.attempts > attempts) break;
    }
    pauses.push(waited + 5);
  }
  assert.equal(pauses, [5, 10, 20, 40]);
  const alerts = await owner('platform_alert').where({ code: 'OUTBOX_PARKED' });
  assert.equal(
    alerts.map(({ organizationId, severity, details }) => [organizationId, severity, details.eventId]),
    [[victim.organizationId, 'high', poison]],
  );
  assert.equal([await gauge('outbox_parked'), await gauge('outbox_oldest_waiting_seconds')], [1, 0]);
  app.clock.advance(86_400_000);
  const { length } = lines;
  await retry();
  assert.is(lines.length, length, 'it stays where it is');
});

test('after repair it is released by an update, and processed', async () => {
  const late = await child();
  await owner('outbox')
    .where({ id: poison })
    .update({
      payload: JSON.stringify({ studentId: late.id, sessionId: newId() }),
      organizationId: late.organizationId,
    });
  await owner('outbox_retry')
    .where({ eventId: poison })
    .update({ organizationId: late.organizationId, attempts: 0, parkedAt: null, nextAt: '2000-01-01' });
  assert.ok((await gauge('outbox_oldest_waiting_seconds')) > 86_400);
  await retry();
  assert.is(await isAsked(late), true);
  assert.is((await owner('outbox_retry')).length, 0);
  assert.equal([await gauge('outbox_parked'), await gauge('outbox_oldest_waiting_seconds')], [0, 0]);
});

test('a reaction in its own savepoint: its writes before a failure are rolled back, others stay', async () => {
  const one = await child();
  await finished(one);
  const toJobs = async (trx: Parameters<(typeof reactions)[0]['toJobs']>[0], events: readonly StoredEvent[]) => {
    await trx('outbox')
      .whereIn(
        'id',
        events.map(({ id }) => id),
      )
      .update({ topic: 'undone' });
    throw new Error('after its write');
  };
  const half = { name: 'half', to: [diagnosticFinished], toJobs };
  await relayAll(app.services, queues, [half, ...reactions], log);
  assert.is(await isAsked(one), true);
  assert.is((await owner('outbox').where({ topic: 'undone' })).length, 0);
  assert.equal(
    (await owner('outbox_retry')).map(({ reaction }) => reaction),
    ['half'],
  );
});

test('a successful batch takes one savepoint for each reaction, whatever its size', async () => {
  const one = await child();
  for (let made = 0; made < 150; made += 1) await finished(one);
  let savepoints = 0;
  const count = ({ sql }: { sql: string }) => {
    if (/^savepoint/i.test(sql)) savepoints += 1;
  };
  app.services.db.on('query', count);
  assert.is(await relay(), 150);
  app.services.db.off('query', count);
  assert.is(savepoints, reactions.length);
});

test.run();
