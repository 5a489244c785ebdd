// Turns: a local date that begins or ends a flag requests one recompute, by the local date of each organization.
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { contextFlagsCapability } from '#identity/context-flags/index.ts';
import { recordTurns } from '#identity/context-flags/writes/record-turns.ts';
import { scheduler } from '../../../workers/schedules.ts';
import { buildStudent, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { installShippedRules } from '../../harness/rules.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';
import { eventFlagIds, listed, note } from './flags.ts';

const app = useApp(test);
const { owner } = app.database;
const { log } = capturedLog();
let riyadh: Tenant;
let newYork: Tenant;

test.before(() => installShippedRules(owner));

/** Each test has its own organization, because the daily job runs once per organization and date. */
test.before.each(async () => {
  riyadh = await buildTenant(app, { timeZone: 'Asia/Riyadh' });
  newYork = await buildTenant(app, { timeZone: 'America/New_York' });
});

/** Runs the due jobs of a moment until none is left. */
async function workersAt(moment: string, services: Services = app.services): Promise<void> {
  const { daily = [] } = contextFlagsCapability;
  app.clock.set(new Date(Date.parse(moment) - 4_000));
  app.clock.advance(4_000);
  const one = scheduler({ services, queues: noQueues, log, schedules: [], daily });
  await one.tick();
  await one.idle();
}

/** Sets a flag as the tenant's teacher at a moment, with a new session, because sessions expire. */
async function noteAt(moment: string, { people }: Tenant, student: UserRow, body: object): Promise<number> {
  app.clock.set(moment);
  const { status, body: flag } = await note(app, { token: await signIn(app, people.TEACHER) }, student.id, body);
  assert.is(status, 201, JSON.stringify(flag));
  return flag.flagId;
}

async function activeAt(moment: string, { people }: Tenant, student: UserRow): Promise<boolean[]> {
  app.clock.set(moment);
  const { body } = await listed(app, { token: await signIn(app, people.TEACHER) }, student.id);
  return body.items.map(({ active }) => active);
}

const studentOf = ({ classRow }: Tenant) => buildStudent(owner, classRow);

/** Local midnight of 2026-03-10: in Riyadh 21:00 UTC of the day before, in New York (summer time) 04:00 UTC. */
const before = { riyadh: '2026-03-09T20:59:59.000Z', newYork: '2026-03-10T03:59:59.000Z' };
const after = { riyadh: '2026-03-09T21:00:05.000Z', newYork: '2026-03-10T04:00:05.000Z' };
const period = { effectiveFrom: '2026-03-10', effectiveTo: '2026-03-12' };

test('a flag begins and ends with the date of its organization, with one event each', async () => {
  const [here, there] = [await studentOf(riyadh), await studentOf(newYork)];
  const flagCode = 'long_absence';
  const hereId = await noteAt('2026-03-02T12:00:00.000Z', riyadh, here, { flagCode, ...period });
  const thereId = await noteAt('2026-03-02T12:00:00.000Z', newYork, there, { flagCode, ...period });
  assert.equal(
    [await eventFlagIds(app, here), await eventFlagIds(app, there)],
    [[hereId], [thereId]],
    'when they were set',
  );
  await workersAt(before.riyadh);
  assert.equal(await eventFlagIds(app, here), [hereId]);
  assert.equal(await activeAt(before.riyadh, riyadh, here), [false]);
  await workersAt(after.riyadh);
  assert.equal(await eventFlagIds(app, here), [hereId, hereId], 'it has begun in Riyadh');
  assert.equal(await eventFlagIds(app, there), [thereId], 'it has not begun in New York');
  assert.equal(
    [await activeAt(after.riyadh, riyadh, here), await activeAt(after.riyadh, newYork, there)],
    [[true], [false]],
  );
  await workersAt(before.newYork);
  assert.equal(await eventFlagIds(app, there), [thereId]);
  await workersAt(after.newYork);
  assert.equal(
    [await eventFlagIds(app, here), await eventFlagIds(app, there)],
    [
      [hereId, hereId],
      [thereId, thereId],
    ],
  );
  for (const day of ['2026-03-11', '2026-03-12']) await workersAt(`${day}T20:59:00.000Z`);
  assert.equal(await eventFlagIds(app, here), [hereId, hereId], 'its last day is one of its days');
  assert.equal(await activeAt('2026-03-12T20:59:00.000Z', riyadh, here), [true]);
  await workersAt('2026-03-12T21:00:05.000Z');
  assert.equal(await eventFlagIds(app, here), [hereId, hereId, hereId], 'it has ended in Riyadh');
  assert.equal(await eventFlagIds(app, there), [thereId, thereId]);
  await workersAt('2026-03-13T04:00:05.000Z');
  assert.equal(await eventFlagIds(app, there), [thereId, thereId, thereId]);
  for (const day of ['2026-03-13', '2026-03-14', '2026-04-01']) await workersAt(`${day}T12:00:00.000Z`);
  assert.equal([(await eventFlagIds(app, here)).length, (await eventFlagIds(app, there)).length], [3, 3]);
});

interface Silent {
  readonly name: string;
  readonly bodies: readonly object[];
}

const march = '2026-03-02T12:00:00.000Z';

/** Cases without a turn: setting the flag has raised the event already, or no result depends on it. */
const silent: readonly Silent[] = [
  { name: 'a flag without effect', bodies: [{ flagCode: 'speech_support', ...period }] },
  { name: 'one that begins on the day on which it is set', bodies: [{ flagCode: 'long_absence' }] },
  {
    name: 'one that was over when it was set',
    bodies: [{ flagCode: 'long_absence', effectiveFrom: '2026-02-02', effectiveTo: '2026-03-01' }],
  },
  {
    name: 'one that was ended by hand',
    bodies: [{ flagCode: 'long_absence' }, { flagCode: 'long_absence', ended: true }],
  },
  {
    name: 'one that was called off before it began',
    bodies: [
      { flagCode: 'long_absence', ...period },
      { flagCode: 'long_absence', ended: true },
    ],
  },
  {
    name: 'a period that a newer one has replaced',
    bodies: [
      { flagCode: 'long_absence', ...period },
      { flagCode: 'long_absence', effectiveFrom: '2026-06-01' },
    ],
  },
];

for (const { name, bodies } of silent) {
  test(`${name}: no date raises an event`, async () => {
    const student = await studentOf(riyadh);
    for (const body of bodies) await noteAt(march, riyadh, student, body);
    const initialIds = await eventFlagIds(app, student);
    const days = ['02', '03', '10', '11', '12', '13', '14'].map((day) => `2026-03-${day}`);
    for (const day of days) await workersAt(`${day}T12:00:00.000Z`);
    assert.equal(await daysDone(riyadh), days, 'the job has run on each day');
    assert.equal(await eventFlagIds(app, student), initialIds);
  });
}

const daysDone = ({ organizationId: subject }: Tenant): Promise<string[]> =>
  owner('schedule_day').where({ subject }).whereNotNull('doneAt').orderBy('day').pluck('day');

test('a flag without an end ends with the school year: the first day of the next one raises the event', async () => {
  const student = await studentOf(riyadh);
  const flagId = await noteAt(march, riyadh, student, { flagCode: 'first_year_arabic' });
  assert.equal(await activeAt('2026-07-31T20:59:00.000Z', riyadh, student), [true]);
  await workersAt('2026-07-31T20:59:00.000Z');
  assert.equal(await eventFlagIds(app, student), [flagId]);
  await workersAt('2026-07-31T21:00:05.000Z');
  assert.equal(await eventFlagIds(app, student), [flagId, flagId]);
  assert.equal(await activeAt('2026-07-31T21:00:05.000Z', riyadh, student), [false]);
});

test('after an outage the missed days are made up for once', async () => {
  const student = await studentOf(riyadh);
  const flagId = await noteAt(march, riyadh, student, { flagCode: 'long_absence', ...period });
  await workersAt('2026-03-20T12:00:00.000Z');
  assert.equal(await eventFlagIds(app, student), [flagId, flagId, flagId], 'set, begun and ended');
  await workersAt('2026-03-21T12:00:00.000Z');
  assert.is((await eventFlagIds(app, student)).length, 3);
});

test('a job that runs again, also in several processes at once, raises no event twice', async () => {
  const student = await studentOf(riyadh);
  const flagId = await noteAt(march, riyadh, student, { flagCode: 'long_absence', ...period });
  app.clock.set(after.riyadh);
  const turn = { organizationId: riyadh.organizationId, date: '2026-03-10' };
  await Promise.all(Array.from({ length: 8 }, () => recordTurns(app.services, turn)));
  await recordTurns(app.services, turn);
  assert.equal(await eventFlagIds(app, student), [flagId, flagId]);
});

test('many flags of one date: one event each, in several transactions, also after a kill in between', async () => {
  const { organizationId } = riyadh;
  const flag = {
    ...{ organizationId, schoolYear: '2025-2026', ended: false, setBy: 1, ruleVersion: 'language/context-flags@1' },
    ...{ effectiveFrom: '2026-03-10', activeTo: '2026-07-31', setAt: march, setOn: '2026-03-02' },
  };
  const classmates = await Promise.all(Array.from({ length: 201 }, () => studentOf(riyadh)));
  const rows = classmates.flatMap(({ id: studentId }) =>
    reviewCodes.map((flagCode) => ({ ...flag, studentId, flagCode })),
  );
  await owner.batchInsert('context_flag', rows, 400);
  app.clock.set(after.riyadh);
  const turn = { organizationId, date: '2026-03-10' };
  await assertKilled(recordTurns(killedAfter(2), turn));
  assert.is(await eventsIn(organizationId), 1_000, 'two whole batches');
  await recordTurns(app.services, turn);
  assert.is(await eventsIn(organizationId), 1_206);
  const ofOne = await eventFlagIds(app, classmates[0] as UserRow);
  assert.is(new Set(ofOne).size, 6);
});

const reviewCodes = [
  ...['recent_transfer', 'hearing_follow_up', 'vision_follow_up'],
  ...['long_absence', 'first_year_arabic', 'temporary_illness'],
];

const eventsIn = (organizationId: string): Promise<number> =>
  inContext(owner, 'SUPER', async (trx) => {
    const rows = await trx('outbox').where({ organizationId, topic: 'context_flag.changed' }).select('id');
    return rows.length;
  });

/** Returns services whose clock throws after `reads` reads, as if the process was killed. */
function killedAfter(reads: number): Services {
  let left = reads;
  const now = () => {
    if (left === 0) throw new Error('killed by the test');
    left -= 1;
    return app.clock.now();
  };
  return { ...app.services, clock: { now } };
}

async function assertKilled(work: Promise<void>): Promise<void> {
  const end = await work.then(
    () => 'ended',
    (error: Error) => error.message,
  );
  assert.is(end, 'killed by the test');
}

test('flags are found by their dates: the job reads no student and no flag of another date', async () => {
  const statements: { sql: string; bindings: unknown[] }[] = [];
  const seen = (one: { sql: string; bindings: unknown[] }) => statements.push(one);
  app.database.app.on('query', seen);
  await recordTurns(app.services, { organizationId: riyadh.organizationId, date: '2026-03-10' });
  app.database.app.off('query', seen);
  const job = statements.find(({ sql }) => sql.includes('context_flag_turn'));
  const plan = await planOf(job?.sql ?? '', job?.bindings ?? []);
  assert.match(plan, /effective_from > /);
  assert.match(plan, /active_to >= /);
  assert.is(
    plan.match(/Index (Only )?Scan using context_flag_default_organization_id_(effective_from|active_to)/g)?.length,
    2,
  );
  assert.not.match(plan, /Seq Scan|app_user|enrollment/);
});

/** Returns the query plan for large tables. */
async function planOf(sql: string, bindings: unknown[]): Promise<string> {
  const client = new pg.Client(app.database.ownerUrl);
  await client.connect();
  try {
    for (const kind of ['seqscan', 'bitmapscan']) await client.query(`set enable_${kind} = off`);
    const { rows } = await client.query(`explain ${sql}`, bindings);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.end();
  }
}

test.run();
