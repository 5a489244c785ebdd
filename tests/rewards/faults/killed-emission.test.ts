// timeout: 180s
// A worker that is killed while it books what a child has grown by: no half of it stays, and another one books it once.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, startWorker } from '../../faults/world.ts';
import type { UserRow } from '../../support/factories.ts';
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

/** Waits until a statement of another process stands before the table. */
const standsBefore = (table: string) =>
  eventually(`a worker waits for ${table}`, patienceMs, async () => {
    const { rows } = await owner.raw(
      `select from pg_locks where relation = '${table}'::regclass and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });

for (const table of ['xp_transaction', 'student_badge'] as const) {
  test(`kill -9 before the rows of ${table}: nothing of the event stays, then everything once`, async () => {
    const room = await world.room();
    const [child, other] = [await world.student(room), await world.student(room)];
    // Workers of their own process have the machine's clock.
    world.app.clock.set(new Date());
    for (const student of [child, other]) await world.read(room, student, 10);
    await world.settle();
    world.app.clock.set(new Date());
    await world.read(room, other, 17);
    await world.settle();
    const expected = await booked(other);
    assert.ok(
      expected.events.some((event) => event.startsWith('band_progression')),
      expected.events.join(),
    );
    world.app.clock.set(new Date());

    const blocker = await owner.transaction();
    try {
      await blocker.raw(`lock table ${table} in exclusive mode`);
      await world.read(room, child, 17);
      const first = await startWorker(world.app.database, undefined);
      await standsBefore(table);
      await first.kill();
    } finally {
      await blocker.rollback();
    }
    assert.equal(await counts(child), [0, 0, 0, 0]);
    assert.ok((await world.waiting(child)) > 0, 'still to be judged');
    const second = await startWorker(world.app.database, undefined);
    try {
      await eventually('another worker books it', patienceMs, async () => (await world.waiting(child)) === 0);
    } finally {
      await second.stop();
    }
    await world.settle();
    assert.equal(await booked(child), expected);
  });
}

test.run();
