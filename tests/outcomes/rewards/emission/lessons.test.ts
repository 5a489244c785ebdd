// 60 §1: growth in a lesson as it is taught, from the children's answers over HTTP to their ledgers: the live session is the
// session, the first answers of each child decide, and who was not there gets nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { lockSupport } from '#support/interventions/index.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { insertAssignment } from '../../../support/interventions/assignment-rows.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { buildBlueprint } from '../../../teaching/lesson-blueprints/rows.ts';
import { createAcceptedLesson } from '../../../teaching/lessons/deliveries.ts';
import { answerTo, itemRefs, lessonsOf, monday, type Person } from '../../../teaching/live-lessons/lesson.ts';
import { useSettled } from '../settled.ts';

const world = useSettled(test);
const { app } = world;
const { owner } = app.database;
const { lesson } = lessonsOf(app);

/** One step, whose goal six answers of the session can meet. */
const step = {
  ...{ stepNo: 1, sessionRole: 'PROGRESS_CHECK', plannedSessions: 1, goal: { minScored: 6, minRate: 0.8 } },
  ...{ goalState: 'pending', deliveredSessions: 0, scored: 0, correct: 0, rate: null },
};

/** Creates an active assignment with one step and returns its id. */
async function planOf(student: UserRow, { organizationId, classRow }: Pick<Room, 'organizationId' | 'classRow'>) {
  await inContext(owner, { organizationId }, (trx) => lockSupport(trx, organizationId, [student.id]));
  const place = { ...student, organizationId, classRow };
  return insertAssignment(owner, place, 'BND-DECODE-01', { steps: JSON.stringify([step]) });
}

test('a goal met in a live session completes the assignment; less support when nearly all was right', async () => {
  app.clock.set(monday);
  const at = await lesson({ students: 4, prepared: true, joined: 3 });
  const plans = new Map<number, string>();
  for (const student of at.students) plans.set(student.id, await planOf(student, at));
  const [all, most, few, absent] = at.students as [Person, Person, Person, Person];
  const right = new Map([
    [all, 6],
    [most, 5],
    [few, 3],
  ]);
  for (const [place, itemRef] of itemRefs.entries()) {
    if (place > 0) assert.is((await at.control('next')).status, 200);
    for (const [student, count] of right) {
      const { status } = await at.answer(student, answerTo(itemRef, place < count));
      assert.ok(status < 300, `${itemRef}: ${status}`);
    }
  }
  app.clock.advance(20 * 60_000);
  const endedAt = app.clock.now().toISOString();
  assert.is((await at.control('end')).status, 200);
  await world.settle(app.services);

  const of = (student: Person, kind: string, further: string, reached: string | null) => {
    const plan = plans.get(student.id);
    return [kind, `${plan}${further}`, 'bundle_assignment', plan, `live:${at.liveId}`, reached];
  };
  assert.equal(await world.minted(all), [
    of(all, 'bundle_step_goal_met', ':1', null),
    of(all, 'scaffold_tier_step_up', ':Level_3:Level_2', 'Level_2'),
    of(all, 'bundle_completion', '', null),
  ]);
  assert.equal(await world.minted(most), [
    of(most, 'bundle_step_goal_met', ':1', null),
    of(most, 'bundle_completion', '', null),
  ]);
  for (const student of [few, absent]) assert.equal(await world.minted(student), []);
  for (const event of await world.events(all)) assert.is(event.occurredAt, endedAt);
});

test('a prepared session that is reported days later: it is the session, and the growth has the day of the report', async () => {
  app.clock.set(monday);
  const room = await world.room();
  const student = await world.student(room);
  await world.measure([student], oneNeed);
  const plan = await planOf(student, room);
  const pupil = { ...student, ...room };
  const id = await createAcceptedLesson(app, pupil, { blueprintId: await buildBlueprint(owner) });
  const laidOut = await app.post(`/api/sessions/${id}/distribute-online`, {}, { token: room.token });
  assert.is(laidOut.status, 200, JSON.stringify(laidOut.body));
  const responses = itemRefs.map((itemRef) => answerTo(itemRef));
  const own = { token: await signIn(app, student) };
  const answered = await app.post(`/api/sessions/${id}/responses`, { responses }, own);
  assert.ok(answered.status < 300, JSON.stringify(answered.body));
  await world.settle(app.services);
  assert.equal(await world.minted(student), [], 'answers alone are no delivery');
  world.days(3);
  const reportedAt = app.clock.now().toISOString();
  const delivery = { deliveredOn: monday.slice(0, 10), presentStudentIds: [student.id] };
  const edited = await app.patch(`/api/sessions/${id}/edit`, { delivery }, { token: await signIn(app, room.teacher) });
  assert.is(edited.status, 200, JSON.stringify(edited.body));
  await world.settle(app.services);
  const events = await world.events(student);
  assert.equal(
    events.map(({ sourceKind, sourceId, sessionKey }) => [sourceKind, sourceId, sessionKey]),
    ['bundle_step_goal_met', 'scaffold_tier_step_up', 'bundle_completion'].map((kind) => [
      ...[kind, plan, `blueprint:${id}`],
    ]),
  );
  for (const { occurredAt, localDate } of events) {
    assert.equal([occurredAt, localDate], [reportedAt, reportedAt.slice(0, 10)]);
  }
});

test.run();
