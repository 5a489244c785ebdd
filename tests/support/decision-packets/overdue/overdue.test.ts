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

test.run();
