// timeout: 180s
// Removes one by one the guards that keep background work correct while processes die and parts of it fail.
import pg from 'pg';
import Type from 'typebox';
import { test } from 'uvu';
import { object } from '#core/http/schemas.ts';
import { holderOf, jobRows } from '#core/long-jobs/lease.ts';
import { orderJobs } from '#core/long-jobs/store.ts';
import { appendEvents, eventKind, newEvent, type StoredEvent } from '#core/module/events.ts';
import { type DailySchedule, reaction, type Schedule } from '#core/module/jobs.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { react } from '../../../workers/reactions.ts';
import { relayAll } from '../../../workers/relay.ts';
import { scheduler } from '../../../workers/schedules.ts';
import { buildOrganization } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { noQueues } from '../../workers/support.ts';
import { type Fault, plant, tampered } from './harness.ts';

const app = useApp(test, { rules: true });
const { services, clock } = app;
const { owner } = app.database;
const log = createLogger('silent');
let organizationId: string;

test.before(async () => {
  organizationId = (await buildOrganization(owner)).id;
});

async function newJob() {
  const order = { kind: 'impact', organizationId, subject: 's', input: {}, requestedBy: null } as const;
  const [id = ''] = await inContext(services.db, { organizationId }, (trx) => orderJobs(trx, clock.now(), [order]));
  return { id, organizationId };
}

const claimed = (key: { id: string; organizationId: string }) => jobRows(['impact']).claim(services, key);

const leaseRunsOut = (id: string) =>
  owner('rule_job')
    .where({ id })
    .update({ heldUntil: new Date(0) });

/** Divides by a value of the event. Zero makes the event fail forever. */
const dividing = reaction({
  name: 'dividing',
  to: [eventKind({ topic: 'planted', summary: '', payload: object({ divisor: Type.Integer() }) })],
  toJobs: async (trx, events) => {
    for (const { payload } of events) await trx.raw('select 1 / ?::int', [payload.divisor]);
    return events.map(({ id }) => ({ queue: 'planted', id: String(id), data: {} }));
  },
});

const event = (id: number, divisor: number): StoredEvent => ({
  ...{ id, organizationId, topic: 'planted', payload: { divisor }, createdAt: new Date(0).toISOString() },
});

const withoutSavepoints = (trx: Trx): Trx =>
  new Proxy(trx, {
    get: (target, name) =>
      name === 'transaction' ? (work: (inner: Trx) => unknown) => work(target) : Reflect.get(target, name),
  });

const schedule = (name: string, run: () => Promise<void>): Schedule => ({ name, everyMs: 1_000, run });

/** Runs the schedules one after the other as a single job. */
const bundled = (schedules: readonly Schedule[]): Schedule[] => [
  {
    ...{ name: 'all of them', everyMs: 1_000 },
    run: async (...parts) => {
      for (const { run } of schedules) await run(...parts);
    },
  },
];

async function tick(schedules: readonly Schedule[], daily: readonly DailySchedule[] = []): Promise<void> {
  clock.advance(4_000);
  const one = scheduler({ services, queues: noQueues, log, schedules, daily });
  await one.tick();
  await one.stop();
}

const planted = eventKind({ topic: 'planted.announced', summary: '', payload: object({}) });

/** Whether a listener is notified of a new event before it has to poll. */
async function isAnnounced(): Promise<boolean> {
  const client = new pg.Client(app.database.appUrl);
  await client.connect();
  await client.query('listen outbox');
  const notified = new Promise<boolean>((resolve) => {
    client.on('notification', () => resolve(true));
    setTimeout(() => resolve(false), 5_000);
  });
  // The owner's connections send no notification.
  const db = setup.announced ? services.db : owner;
  await inContext(db, { organizationId }, (trx) =>
    appendEvents(trx, clock.now(), [newEvent(planted, organizationId, {})]),
  );
  return notified.finally(() => client.end());
}

const setup = { savepoints: true, apart: true, announced: true };
const swapped = (key: keyof typeof setup) =>
  [
    () => {
      setup[key] = false;
    },
    () => {
      setup[key] = true;
    },
  ] as const;

const faults: readonly Fault[] = [
  {
    name: 'the token that grows with each holder of a job',
    holds: async () => {
      const key = await newJob();
      const first = await claimed(key);
      await leaseRunsOut(key.id);
      const second = await claimed(key);
      if (!first || !second) return false;
      return !(await holderOf(services, first).advance(1, null));
    },
    without: { database: tampered('rule_job', 'update', 'new.token := old.token; return new;') },
  },
  {
    name: 'the time for which a job is held by one alone',
    holds: async () => {
      const key = await newJob();
      return (await claimed(key)) !== undefined && (await claimed(key)) === undefined;
    },
    without: { database: tampered('rule_job', 'update', 'new.held_until := null; return new;') },
  },
  {
    name: 'the savepoint around an event that cannot be digested',
    holds: () =>
      inContext(services.db, 'SUPER', async (trx) => {
        const events = [event(1, 1), event(2, 0), event(3, 1)];
        const { jobs } = await react(setup.savepoints ? trx : withoutSavepoints(trx), [dividing], events, clock);
        await trx.raw('select 1');
        return jobs.length === 2;
      }).catch(() => false),
    without: { swap: swapped('savepoints') },
  },
  {
    name: 'the row that remembers a reaction that failed',
    holds: async () => {
      await owner('outbox').insert({
        organizationId,
        topic: 'planted',
        payload: '{"divisor":0}',
        createdAt: clock.now(),
      });
      await relayAll(services, noQueues, [dividing], log);
      return (await owner('outbox_retry').where({ organizationId }).delete()) === 1;
    },
    without: { database: tampered('outbox_retry', 'insert', 'return null;') },
  },
  {
    name: 'schedules that fail alone',
    holds: async () => {
      let ran = false;
      const two = [
        schedule('planted failing', () => Promise.reject(new Error('out of order'))),
        schedule('planted sibling', async () => {
          ran = true;
        }),
      ];
      await tick(setup.apart ? two : bundled(two));
      return ran;
    },
    without: { swap: swapped('apart') },
  },
  {
    name: 'the row that makes a schedule start once a period',
    holds: async () => {
      let runs = 0;
      const hourly = schedule('planted hourly', async () => {
        runs += 1;
      });
      for (let time = 0; time < 3; time++) await tick([{ ...hourly, everyMs: 3_600_000 }]);
      await owner('schedule').where({ name: hourly.name }).delete();
      return runs === 1;
    },
    without: {
      database: tampered('schedule', 'insert or update', "new.last_run_at := '2000-01-01'; return new;"),
    },
  },
  {
    name: 'the row that marks a day as done',
    holds: async () => {
      let runs = 0;
      const name = 'planted day';
      const run = async () => {
        runs += 1;
      };
      for (let time = 0; time < 3; time++) await tick([], [{ name, dailyAt: 0, of: 'platform', run }]);
      await owner('schedule_day').where({ name }).delete();
      return runs === 1;
    },
    without: {
      database: tampered('schedule_day', 'update', "new.done_at := null; new.held_until := '2000-01-01'; return new;"),
    },
  },
  {
    name: 'the notice that wakes the relay',
    holds: isAnnounced,
    without: { swap: swapped('announced') },
  },
];

plant(test, app, faults);

test.run();
