// The list of overdue work: what is past its due day, in which order, for whom it waits, and who sees it. February 2026; the
// weekend is Friday and Saturday.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPackets } from '#support/decision-packets/packets/jobs.ts';
import { dueAlerts } from '#support/rti/due/alerts.ts';
import { followDueDays } from '#support/rti/due/daily.ts';
import {
  buildClass,
  buildPrincipal,
  buildSuperAdmin,
  buildTeacher,
  buildUser,
  type UserRow,
} from '../../../harness/factories.ts';
import { insertAssignment } from '../../interventions/assignment-rows.ts';
import type { Room } from '../../interventions/classroom.ts';
import { buildAlert } from '../../rti/alerts/rows.ts';
import { made, type Refused, summary, useDesk } from '../desk.ts';

const test = suite('overdue work');
const desk = useDesk(test);
const { app, owner } = desk;
const { services } = desk.classroom;

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly studentId: number;
  readonly classId: number;
  readonly dueOn: string;
  readonly daysOverdue: number;
  readonly waitsFor: string;
}

const at = (date: string) => app.clock.set(new Date(`${date}T03:00:00.000Z`));

async function follow({ organizationId }: Room, date: string): Promise<void> {
  at(date);
  await checkPackets(services, organizationId, app.clock.now());
  await followDueDays(services, organizationId, dueAlerts);
}

const list = (user: UserRow, query = '') =>
  desk.get<{ items: readonly Item[]; nextCursor: string | null } & Refused>(user, `/api/rti/overdue${query}`);
const ids = async (user: UserRow, query = '') => made(await list(user, query), 200).items.map(({ id }) => id);

async function alertIn(room: Room, kind = 'Student_Alert'): Promise<{ id: string; student: UserRow }> {
  const student = await desk.classroom.student(room);
  const opened = { openedAt: '2026-02-01T03:00:00.000Z', openedOn: '2026-02-01' };
  return { student, id: await buildAlert(owner, student, { ...opened, kind }) };
}

test('past its due day, in the order of the days, with the days and whom it waits for', async () => {
  at('2026-02-01');
  const room = await desk.classroom.room();
  const student = await desk.student(room);
  const { packetId } = made(
    await desk.assemble(room.teacher, { studentId: student.id, reviewType: 'tier_escalation' }),
  );
  const review = await alertIn(room, 'tier_review_due');
  const alert = await alertIn(room);
  await follow(room, '2026-02-01');
  await follow(room, '2026-02-08');
  assert.equal(await ids(room.teacher), [], 'the due day itself is not over');
  await follow(room, '2026-02-13');
  const { items } = made(await list(room.teacher), 200);
  const common = { classId: room.classRow.id, dueOn: '2026-02-08' };
  // 9, 10, 11, 12 February.
  assert.equal(items, [
    { kind: 'alert', id: review.id, studentId: review.student.id, ...common, daysOverdue: 4, waitsFor: 'teacher' },
    { kind: 'packet', id: packetId, studentId: student.id, ...common, daysOverdue: 4, waitsFor: 'administrator' },
  ]);
  await follow(room, '2026-02-16');
  assert.equal(await ids(room.teacher), [review.id, packetId, alert.id]);
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '?limit=1' : `?limit=1&cursor=${cursor}`;
    const page = made(await list(room.teacher, query), 200);
    pages.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  assert.equal(pages, [review.id, packetId, alert.id]);
  made(await desk.reject(room.teacher, packetId, 'Evidence_Outdated'), 200);
  assert.not((await ids(room.teacher)).includes(packetId));
});

test('a packet about tier 3 waits for the specialist; a class without an active teacher for an administrator', async () => {
  at('2026-02-01');
  const room = await desk.classroom.room();
  const student = await desk.student(room);
  await desk.facts(student).movement(1, 2, '2025-10-01');
  await desk.facts(student).movement(2, 3, '2025-11-01');
  const asked = { studentId: student.id, reviewType: 'scheduled_tier_review' };
  const { packetId } = made(await desk.assemble(room.teacher, asked));
  const { id } = await alertIn(room);
  await follow(room, '2026-02-01');
  await follow(room, '2026-02-16');
  const admin = await desk.admin(room);
  const waits = async () =>
    Object.fromEntries(made(await list(admin), 200).items.map((item) => [item.id, item.waitsFor]));
  assert.equal(await waits(), { [packetId]: 'specialist', [id]: 'teacher' });
  await owner('app_user').where({ id: room.teacher.id }).update({ status: 'inactive' });
  assert.equal(await waits(), { [packetId]: 'specialist', [id]: 'administrator' });
});

test('everyone sees their own reach; a caller of the platform names a school or a class', async () => {
  at('2026-02-01');
  const room = await desk.classroom.room();
  const { organizationId, classRow } = room;
  const { id } = await alertIn(room);
  await follow(room, '2026-02-01');
  await follow(room, '2026-02-17');
  const school = await owner('school').where({ id: classRow.schoolId }).first();
  const elsewhere = await buildClass(owner, { organizationId });
  const otherSchool = await owner('school').where({ id: elsewhere.schoolId }).first();
  const stranger = await desk.classroom.room();
  const seen = [room.teacher, await desk.admin(room), await buildPrincipal(owner, school)];
  for (const user of seen) {
    for (const query of ['', `?classId=${classRow.id}`, `?schoolId=${school.id}`]) {
      assert.equal(await ids(user, query), [id], `${user.primaryPersona} ${query}`);
    }
    assert.equal(await ids(user, `?classId=${elsewhere.id}`), []);
  }
  const blind = [await buildTeacher(owner, elsewhere), await buildPrincipal(owner, otherSchool), stranger.teacher];
  for (const user of blind) {
    assert.equal(await ids(user), []);
    assert.equal(await ids(user, `?classId=${classRow.id}`), []);
  }
  const platform = await buildSuperAdmin(owner);
  assert.equal(summary(await list(platform)), [422, 'VALIDATION_ERROR', 'required']);
  assert.equal(await ids(platform, `?classId=${classRow.id}`), [id]);
  assert.equal(await ids(platform, `?schoolId=${school.id}`), [id]);
  assert.equal(await ids(platform, '?classId=999999999'), []);
  assert.equal(summary(await list(room.teacher, '?cursor=x'))[0], 422);
  const parent = await buildUser(owner, 'PARENT', { organizationId });
  assert.equal(summary(await list(parent))[0], 403);
});

/** A plan of before, which is counted from Sunday, 4 January: three sessions a week for two weeks, up to the 17th. */
async function planIn(room: Room, overrides: object = {}): Promise<{ id: string; student: UserRow }> {
  const student = await desk.classroom.student(room);
  const { organizationId } = room;
  await owner('student_support').insert({ organizationId, studentId: student.id }).onConflict().ignore();
  const columns = { plannedWeeks: 2, ...overrides };
  return { student, id: await insertAssignment(owner, { ...student, ...room }, 'BND-DECODE-01', columns) };
}

test('an active plan past its end, by the calendar of today', async () => {
  at('2026-02-03');
  const room = await desk.classroom.room();
  const { organizationId } = room;
  const { id, student } = await planIn(room);
  const closed = { pauses: JSON.stringify([{ from: '2026-01-11', to: '2026-01-18' }]) };
  const later = await planIn(room, closed);
  await planIn(room, { plannedWeeks: 5 });
  const open = { pauses: JSON.stringify([{ from: '2026-01-29', to: null }]) };
  await planIn(room, { ...open, state: 'paused', trackStatus: 'not_applicable', reasonCode: 'School_Break' });
  await planIn(room, { state: 'stopped', trackStatus: 'not_applicable', endedOn: '2026-01-20' });
  const { items } = made(await list(room.teacher), 200);
  const common = { kind: 'plan', classId: room.classRow.id, waitsFor: 'teacher' };
  // 18 to 22 and 25 to 29 January, 1 to 3 February.
  assert.equal(items, [
    { ...common, id, studentId: student.id, dueOn: '2026-01-17', daysOverdue: 13 },
    { ...common, id: later.id, studentId: later.student.id, dueOn: '2026-01-24', daysOverdue: 8 },
  ]);
  const first = made(await list(room.teacher, '?limit=1'), 200);
  assert.equal(
    [first.items.map((one) => one.id), await ids(room.teacher, `?limit=1&cursor=${first.nextCursor}`)],
    [[id], [later.id]],
  );
  at('2026-01-17');
  assert.equal(await ids(room.teacher), [], 'the last day itself is not over');
  at('2026-02-03');
  // The whole school was on holiday in the second week, which was entered late.
  const holidays = ['2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14', '2026-01-15'];
  await owner('organization').where({ id: organizationId }).update({ holidays });
  assert.equal(
    made(await list(room.teacher), 200).items.map((one) => [one.id, one.dueOn]),
    [id, later.id].sort().map((one) => [one, '2026-01-24']),
  );
  await owner('class_teacher').where({ organizationId }).delete();
  const admin = await desk.admin(room);
  assert.is(made(await list(admin), 200).items[0]?.waitsFor, 'administrator');
});

test.run();
