// The week of a class over HTTP. 11 January 2026 is a Sunday; the weekend is Friday and Saturday.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { buildClass, buildPrincipal, buildTeacher, buildUser, type UserRow } from '../../../harness/factories.ts';
import { insertAssignment } from '../../interventions/assignment-rows.ts';
import { halting, type Room } from '../../interventions/classroom.ts';
import { buildAlert } from '../../rti/alerts/rows.ts';
import { made, summary, useDesk } from '../desk.ts';

const test = suite('the week of a class');
const desk = useDesk(test);
const { app, owner } = desk;

interface Week {
  readonly classId: number;
  readonly from: string;
  readonly to: string;
  readonly neverMeasured: readonly number[];
  readonly halted: readonly number[];
  readonly nextDataMinutes: number;
  readonly sessionsPlanned: number;
  readonly sessionsHeld: number;
  readonly alertsOpen: number;
  readonly overdue: number;
  readonly plansEnding: number;
}

const at = (date: string) => app.clock.set(new Date(`${date}T08:00:00.000Z`));
const call = (user: UserRow, classId: number, query = '') =>
  desk.get<Week>(user, `/api/classes/${classId}/week${query}`);
const week = async (room: Room, query = '') => made(await call(room.teacher, room.classRow.id, query), 200);

/** A plan of before of three sessions a week from Sunday, 4 January, up to the 17th, and its sessions. */
async function planIn(room: Room, overrides: object = {}, deliveredOn: readonly string[] = []): Promise<UserRow> {
  const student = await desk.classroom.student(room);
  const { organizationId } = room;
  await owner('student_support').insert({ organizationId, studentId: student.id });
  const columns = { plannedWeeks: 2, ...overrides };
  const assignmentId = await insertAssignment(owner, { ...student, ...room }, 'BND-DECODE-01', columns);
  for (const [at, day] of deliveredOn.entries()) {
    await owner('bundle_delivery').insert({
      ...{ organizationId, schoolYear: '2025-2026', assignmentId, studentId: student.id, sourceType: 'live' },
      ...{ sourceId: `${assignmentId}-${at}`, deliveredOn: day, stepNo: 1, halted: false, responses: '[]' },
      recordedAt: `${day}T09:00:00.000Z`,
    });
  }
  return student;
}

test('who was never measured, what was planned and held, what ends and what waits', async () => {
  at('2026-01-14');
  const room = await desk.classroom.room();
  const measured = await desk.student(room);
  const halted = await desk.student(room, halting);
  const never = await desk.classroom.student(room);
  const ending = await planIn(room, {}, ['2026-01-08', '2026-01-11', '2026-01-13']);
  const closed = await planIn(
    room,
    {
      plannedWeeks: 3,
      state: 'stopped',
      trackStatus: 'not_applicable',
      endedOn: '2026-01-12',
      reasonCode: 'Not_Suitable',
    },
    ['2026-01-11'],
  );
  const past = await planIn(room, { startOn: '2025-12-21' });
  await buildAlert(owner, measured, { openedAt: '2026-01-11T03:00:00.000Z', openedOn: '2026-01-11' });
  await buildAlert(owner, never, {
    ...{ openedAt: '2025-12-11T03:00:00.000Z', openedOn: '2025-12-11', dueFrom: '2025-12-11', dueOn: '2026-01-01' },
  });
  const { nextDataMinutes, ...found } = await week(room);
  assert.equal(found, {
    ...{ classId: room.classRow.id, from: '2026-01-11', to: '2026-01-17' },
    neverMeasured: [never, ending, closed, past].map(({ id }) => id),
    halted: [halted.id],
    // The plan that was stopped on Monday asked for three as well; that of 21 December was over on the third of January.
    ...{ sessionsPlanned: 6, sessionsHeld: 3 },
    // The alert of December, and the plan of December.
    ...{ alertsOpen: 2, overdue: 2, plansEnding: 1 },
  });
  const admin = await desk.admin(room);
  const plan = await desk.get<{ totalMinutes: number }>(admin, `/api/sse/classes/${room.classRow.id}/next-data-plan`);
  assert.ok(plan.body.totalMinutes > 0);
  assert.is(nextDataMinutes, plan.body.totalMinutes);
  const before = await week(room, '?on=2026-01-03');
  assert.equal(
    [before.from, before.to, before.sessionsPlanned, before.sessionsHeld, before.plansEnding],
    ['2025-12-28', '2026-01-03', 3, 0, 1],
  );
  const same = await week(room, '?on=2026-01-17');
  assert.equal([same.from, same.overdue], ['2026-01-11', 2], 'what waits is as of now');
});

test('a student of whom only the grade has changed is still one who was never measured', async () => {
  at('2026-01-12');
  const room = await desk.classroom.room();
  const { id } = await desk.classroom.student(room);
  await recomputeStudents(desk.classroom.services, room.organizationId, [id], 'grade_changed');
  const runs = await owner('sse_run').where({ studentId: id });
  assert.equal([runs.length, runs[0]?.evaluatedSubSkills], [1, []]);
  assert.equal((await week(room)).neverMeasured, [id]);
});

test('a week of holidays plans nothing, and moves the end', async () => {
  at('2026-01-12');
  const room = await desk.classroom.room();
  await planIn(room);
  const holidays = ['2026-01-11', '2026-01-12', '2026-01-13'];
  await owner('organization').where({ id: room.organizationId }).update({ holidays });
  const closed = await week(room);
  assert.equal([closed.sessionsPlanned, closed.plansEnding], [0, 0]);
  const next = await week(room, '?on=2026-01-18');
  assert.equal([next.sessionsPlanned, next.plansEnding], [3, 1]);
  await owner('organization')
    .where({ id: room.organizationId })
    .update({ weekend: [6, 7] });
  assert.is((await week(room, '?on=2026-01-18')).from, '2026-01-12', 'a week that begins on Monday');
});

test('an empty class, other callers, and days that are none', async () => {
  at('2026-01-12');
  const room = await desk.classroom.room();
  const { organizationId, classRow } = room;
  const zeros = { sessionsPlanned: 0, sessionsHeld: 0, alertsOpen: 0, overdue: 0, plansEnding: 0 };
  assert.equal(await week(room), {
    ...{
      classId: classRow.id,
      from: '2026-01-11',
      to: '2026-01-17',
      neverMeasured: [],
      halted: [],
      nextDataMinutes: 0,
    },
    ...zeros,
  });
  const principal = await buildPrincipal(owner, await owner('school').where({ id: classRow.schoolId }).first());
  for (const user of [principal, await desk.admin(room)]) assert.is((await call(user, classRow.id)).status, 200);
  const elsewhere = await buildClass(owner, { organizationId });
  assert.is((await call(await buildTeacher(owner, elsewhere), classRow.id)).status, 403);
  assert.is((await call(await buildUser(owner, 'PARENT', { organizationId }), classRow.id)).status, 403);
  const stranger = await desk.classroom.room();
  assert.is((await call(stranger.teacher, classRow.id)).status, 404);
  for (const query of ['?on=2026-02-30', '?on=today', '?to=2026-01-12']) {
    assert.equal(summary(await call(room.teacher, classRow.id, query)).slice(0, 2), [422, 'VALIDATION_ERROR'], query);
  }
});

test.run();
