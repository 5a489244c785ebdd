// The single writer of tiers: its refusals, its rows, and two concurrent moves that make one movement.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import type { SupportTier } from '#support/interventions/index.ts';
import { type Moved, moveTier, type TierMove } from '#support/rti/tiers/move.ts';
import type { UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../interventions/classroom.ts';
import { halting } from '../../interventions/classroom.ts';
import { allRight, twoNeeds, useRtiRoom } from '../rti-world.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;
const { services } = world;

const today = () => world.app.clock.now().toISOString().slice(0, 10);

const move = (room: Room, student: UserRow, overrides: Partial<TierMove> = {}): Promise<Moved> =>
  inContext(services.db, { organizationId: room.organizationId }, (trx) =>
    moveTier(trx, services, {
      ...{ organizationId: room.organizationId, studentId: student.id, expectedFromTier: 1, toTier: 2 },
      ...{ effectiveOn: today(), source: { type: 'rti_decision', id: 'decision' }, actor: room.teacher.id },
      now: world.app.clock.now(),
      ...overrides,
    }),
  );

const issueOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'moved',
    (error) => error.details?.[0]?.issue ?? error.name,
  );

const movementsOf = ({ id: studentId }: UserRow) => owner('tier_movement').where({ studentId }).orderBy('id');

test('a movement closes the open alert, raises its event, and the student is evaluated in the new tier', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  await world.evaluate(student);
  const alert = await world.open(room, student);
  const moved = await move(room, student);
  assert.is(moved.closedAlertId, alert?.alertId);
  const [row] = await movementsOf(student);
  assert.is(row.id, moved.movementId);
  assert.is(row.schoolYear, '2025-2026');
  assert.equal([row.fromTier, row.toTier, row.sourceType, row.decidedBy], [1, 2, 'rti_decision', room.teacher.id]);
  assert.equal(await world.told(student, 'rti.tier_moved'), [
    { studentId: student.id, movementId: row.id, fromTier: 1, toTier: 2 },
  ]);
  assert.equal(
    (await world.told(student, 'rti.alert_closed')).map(({ closeReason }) => closeReason),
    ['decision_committed'],
  );
  const status = await world.statusOf(room, student);
  assert.equal([status.tier, status.tierSince, status.weeksInTier], [2, today(), 0]);
  assert.is.not(status.openAlert?.kind, 'Student_Alert');
  const recommendation = await world.http.get<{ tier: number }>(
    `/api/students/${student.id}/bundle-recommendation`,
    room,
  );
  assert.is(recommendation.status, 200);
});

test('the expected tier has changed, the tier has no neighbour, the day is before the newest movement', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], allRight);
  assert.is(await issueOf(move(room, student, { expectedFromTier: 2, toTier: 3 })), 'tier_changed');
  assert.is(await issueOf(move(room, student, { toTier: 3 })), 'tier_bound');
  assert.is(await issueOf(move(room, student, { toTier: 1 })), 'tier_bound');
  assert.is(await issueOf(move(room, student, { toTier: 0 as SupportTier })), 'tier_bound');
  await move(room, student);
  assert.is(await issueOf(move(room, student)), 'tier_changed');
  const back = { expectedFromTier: 2, toTier: 1 } as const;
  assert.is(await issueOf(move(room, student, { ...back, effectiveOn: '2026-01-01' })), 'out_of_range');
  assert.is(await issueOf(move(room, student, back)), 'moved');
  assert.is((await movementsOf(student)).length, 2);
});

test('no movement in a halt or without a class, and nothing of the attempt stays', async () => {
  const room = await world.room();
  const [halted, gone] = [await world.student(room), await world.student(room)];
  await world.measure([halted], { ...twoNeeds, ...halting });
  await world.measure([gone], twoNeeds);
  await owner('enrollment').where({ studentId: gone.id }).update({ enrolledTo: today() });
  assert.is(await issueOf(move(room, halted)), 'HaltedError');
  assert.is(await issueOf(move(room, gone)), 'not_enrolled');
  for (const student of [halted, gone]) {
    assert.equal(await movementsOf(student), []);
    assert.equal(await world.told(student, 'rti.tier_moved'), []);
  }
});

test('of two concurrent moves one is refused because the tier has changed', async () => {
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], twoNeeds);
  const answers = await Promise.all([1, 2, 3].map(() => issueOf(move(room, student))));
  assert.equal(answers.sort(), ['moved', 'tier_changed', 'tier_changed']);
  assert.is((await movementsOf(student)).length, 1);
});

test.run();
