// timeout: 180s
// A worker that is killed while it books what a child has grown by: no half of it stays, and another one books it once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, startWorker } from '../../../faults/world.ts';
import { schoolYearOfToday } from '../../../harness/clock.ts';
import type { UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { useSettled } from '../settled.ts';

const test = suite('killed while booking');
const world = useSettled(test);
const { owner } = world.app.database;
const patienceMs = 60_000;

const ledgers = ['mastery_event', 'xp_transaction', 'student_badge', 'reward_celebration'] as const;
const counts = async (student: UserRow) =>
  Promise.all(ledgers.map(async (table) => (await world.rows(table, student)).length));
const booked = async (student: UserRow) => ({
  events: (await world.minted(student)).map(([kind, , , , , reached]) => `${kind} ${reached}`).sort(),
  counts: await counts(student),
  xp: (await world.rows('xp_transaction', student)).reduce((sum, { amount }) => sum + Number(amount), 0),
});

/** Waits until a statement of another process stands before a lock of this kind. */
const standsBefore = (what: string, lock: string) =>
  eventually(`a worker waits for ${what}`, patienceMs, async () => {
    const { rows } = await owner.raw(
      `select from pg_locks where ${lock} and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });

/**
 * The first reading of all students, and the result of the second one of the last student, who is evaluated in this
 * process.
 */
async function firstReadings(room: Room, students: readonly UserRow[]): Promise<Awaited<ReturnType<typeof booked>>> {
  // Workers of their own process have the machine's clock.
  world.app.clock.set(new Date());
  for (const student of students) await world.read(room, student, 10);
  await world.settle();
  const other = students.at(-1) as UserRow;
  await secondReadings(room, [other]);
  await world.settle();
  const expected = await booked(other);
  assert.match(expected.events.join(), /band_progression/);
  return expected;
}

async function secondReadings(room: Room, students: readonly UserRow[]): Promise<void> {
  world.app.clock.set(new Date());
  for (const student of students) await world.read(room, student, 17);
}

async function workedOff(students: readonly UserRow[]): Promise<void> {
  const worker = await startWorker(world.app.database, undefined);
  try {
    for (const student of students) {
      await eventually('another worker books it', patienceMs, async () => (await world.waiting(student)) === 0);
    }
  } finally {
    await worker.stop();
  }
  await world.settle();
}

for (const table of ['xp_transaction', 'student_badge'] as const) {
  test(`kill -9 before the rows of ${table}: nothing of the event stays, then everything once`, async () => {
    const room = await world.room({ academicYear: schoolYearOfToday() });
    const [child, other] = [await world.student(room), await world.student(room)];
    const expected = await firstReadings(room, [child, other]);
    const blocker = await owner.transaction();
    try {
      await blocker.raw(`lock table ${table} in exclusive mode`);
      await secondReadings(room, [child]);
      const worker = await startWorker(world.app.database, undefined);
      await standsBefore(table, `relation = '${table}'::regclass`);
      await worker.kill();
    } finally {
      await blocker.rollback();
    }
    assert.equal(await counts(child), [0, 0, 0, 0]);
    assert.ok((await world.waiting(child)) > 0, 'still to be evaluated');
    await workedOff([child]);
    assert.equal(await booked(child), expected);
  });
}

test('kill -9 in the middle of a class: who was booked stays so, and the others are booked by the next worker', async () => {
  const room = await world.room({ academicYear: schoolYearOfToday() });
  const students: UserRow[] = [];
  for (let at = 0; at < 5; at += 1) students.push(await world.student(room));
  const expected = await firstReadings(room, students);
  const children = students.slice(0, -1);
  const [, , third] = children as [UserRow, UserRow, UserRow];
  await owner.raw(`create function wait_there() returns trigger language plpgsql as $$ begin
      if new.student_id = ${third.id} then perform pg_advisory_xact_lock(4711); end if; return new; end $$;
    create trigger wait_there before insert on mastery_event for each row execute function wait_there()`);
  const blocker = await owner.transaction();
  try {
    await blocker.raw('select pg_advisory_xact_lock(4711)');
    await secondReadings(room, children);
    const worker = await startWorker(world.app.database, undefined);
    await standsBefore('the third of the class', "locktype = 'advisory' and objid = 4711");
    await worker.kill();
  } finally {
    await blocker.rollback();
  }
  await owner.raw('drop trigger wait_there on mastery_event; drop function wait_there()');
  assert.equal(await counts(third), [0, 0, 0, 0]);
  const whole = [JSON.stringify([0, 0, 0, 0]), JSON.stringify(expected.counts)];
  for (const child of children) assert.ok(whole.includes(JSON.stringify(await counts(child))), 'all of it or nothing');
  await workedOff(children);
  for (const child of children) assert.equal(await booked(child), expected);
});

test.run();
