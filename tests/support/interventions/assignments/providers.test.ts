// Who carries out a plan after the student has changed class, or the provider has left the school.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { followEnrollments } from '#support/interventions/assignments/change.ts';
import { assignmentJobs, checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { relayAll } from '../../../../workers/relay.ts';
import {
  buildClass,
  buildPrincipal,
  buildTeacher,
  buildUser,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../../harness/factories.ts';
import { deskOf } from '../../../messaging/notifications/desk.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { useSessions } from '../deliveries/sessions.ts';
import { monday, type Pupil } from '../workflow/draft-bodies.ts';

const test = suite('providers of plans');
const { plans, told, at } = useSessions(test);
const { app, services } = plans.shell;
const { owner } = app.database;
const { log } = capturedLog();

let pupil: Pupil;
let assignmentId: string;
test.before(() => app.clock.set(monday));
test.before.each(async () => {
  pupil = await plans.pupil();
  assignmentId = await plans.given(pupil);
});

const relay = () => relayAll(services, noQueues, assignmentJobs.reactions ?? [], log);
const daily = () => checkAssignments(services, pupil.organizationId, app.clock.now());
const provider = async () => (await plans.row(pupil, assignmentId)).providerUserId;
const awaits = async () => (await plans.row(pupil, assignmentId)).awaitsProvider;
const left = async () => (await told(pupil)).filter((one) => one.endsWith('provider_left')).length;

/** Of the same school. */
const nextClass = (): Promise<ClassRow> => {
  const { organizationId, classRow } = pupil;
  return buildClass(owner, { organizationId, schoolId: classRow.schoolId, grade: 2 });
};

async function move(to: ClassRow): Promise<void> {
  const admin = { token: await plans.admin(pupil) };
  const moved = await app.post(`/api/classes/${to.id}/students`, { studentIds: [pupil.id] }, admin);
  assert.ok(moved.status < 300, JSON.stringify(moved.body));
  await relay();
}

const attach = ({ id: teacherUserId }: UserRow, { id: classId, organizationId }: ClassRow, role: string) =>
  owner('class_teacher').insert({ organizationId, classId, teacherUserId, role });
const detach = ({ id: teacherUserId }: UserRow, classId?: number) =>
  owner('class_teacher')
    .where({ teacherUserId, ...(classId !== undefined && { classId }) })
    .delete();

test('the student moves to a class that the provider does not teach: its PRIMARY teacher, at once, told once', async () => {
  const next = await nextClass();
  const { organizationId } = pupil;
  const secondary = await buildUser(owner, 'TEACHER', { organizationId });
  await attach(secondary, next, 'SECONDARY');
  const primary = await buildTeacher(owner, next);
  assert.is(await provider(), pupil.teacher.id);
  await move(next);
  await relay();
  assert.equal([await provider(), await awaits(), await left()], [primary.id, false, 1]);
  await daily();
  assert.is(await left(), 1);
});

test('a PRIMARY teacher who may not sign in is passed over: the first by id', async () => {
  const next = await nextClass();
  const { organizationId } = pupil;
  const primary = await buildTeacher(owner, next);
  const [first, second] = [
    await buildUser(owner, 'TEACHER', { organizationId }),
    await buildUser(owner, 'TEACHER', { organizationId }),
  ];
  for (const one of [second, first]) await attach(one, next, 'SECONDARY');
  await owner('app_user').where({ id: primary.id }).update({ status: 'inactive' });
  await move(next);
  assert.is(await provider(), first.id);
});

test('who teaches the new class too, or never taught the old one, stays', async () => {
  const next = await nextClass();
  await buildTeacher(owner, next);
  await attach(pupil.teacher, next, 'SECONDARY');
  await move(next);
  assert.equal([await provider(), await left()], [pupil.teacher.id, 0]);
  pupil = await plans.pupil();
  const admin = await buildUser(owner, 'ADMIN', { organizationId: pupil.organizationId });
  assignmentId = await plans.given(pupil, { providerUserId: admin.id });
  const other = await nextClass();
  await buildTeacher(owner, other);
  await move(other);
  await daily();
  assert.equal([await provider(), await left()], [admin.id, 0]);
});

test('nobody in the new class: the plan waits for its first teacher, although the provider is still at the school', async () => {
  const next = await nextClass();
  await move(next);
  await daily();
  assert.equal([await provider(), await awaits(), await left()], [pupil.teacher.id, true, 0]);
  const teacher = await buildTeacher(owner, next);
  at('2026-01-13');
  await Promise.all([daily(), daily()]);
  assert.equal([await provider(), await awaits(), await left()], [teacher.id, false, 1]);
});

test('a plan that waits is given to somebody by hand, or to its provider who comes after it', async () => {
  const next = await nextClass();
  await move(next);
  const { organizationId } = pupil;
  const admin = await buildUser(owner, 'ADMIN', { organizationId });
  const token = await signIn(app, admin);
  const review = { assignmentId, action: 'reassign', providerUserId: admin.id };
  assert.is((await plans.review(pupil, review, token)).status, 200);
  await buildTeacher(owner, next);
  await daily();
  assert.equal([await provider(), await awaits(), await left()], [admin.id, false, 0]);
  pupil = await plans.pupil();
  assignmentId = await plans.given(pupil);
  const other = await nextClass();
  await move(other);
  await buildTeacher(owner, other);
  await attach(pupil.teacher, other, 'SECONDARY');
  await daily();
  assert.equal([await provider(), await awaits(), await left()], [pupil.teacher.id, false, 0]);
});

test('a provider without a class in the school, or who may not sign in, is replaced by the daily run', async () => {
  const successor = await buildUser(owner, 'TEACHER', { organizationId: pupil.organizationId });
  await detach(pupil.teacher);
  await daily();
  assert.equal([await provider(), await left()], [pupil.teacher.id, 0], 'nobody teaches the class');
  await attach(successor, pupil.classRow, 'PRIMARY');
  await daily();
  assert.equal([await provider(), await left()], [successor.id, 1]);
  const next = await buildUser(owner, 'TEACHER', { organizationId: pupil.organizationId });
  await attach(next, pupil.classRow, 'SECONDARY');
  await owner('app_user').where({ id: successor.id }).update({ status: 'inactive' });
  await daily();
  assert.equal([await provider(), await left()], [next.id, 2]);
});

test('a teacher of another class of the school, and its principal, are staff; of another school they are not', async () => {
  const elsewhere = await nextClass();
  await attach(pupil.teacher, elsewhere, 'PRIMARY');
  await detach(pupil.teacher, pupil.classRow.id);
  const teacher = await buildUser(owner, 'TEACHER', { organizationId: pupil.organizationId });
  await attach(teacher, pupil.classRow, 'PRIMARY');
  await daily();
  assert.is(await provider(), pupil.teacher.id);
  const principal = await buildPrincipal(owner, await owner('school').where({ id: pupil.classRow.schoolId }).first());
  await plans.change(pupil, assignmentId, { providerUserId: principal.id });
  await daily();
  assert.is(await provider(), principal.id);
  await owner('principal_school').where({ principalUserId: principal.id }).delete();
  await daily();
  assert.equal([await provider(), await left()], [teacher.id, 1]);
});

test('an event that is lost: the daily run follows the student and the provider', async () => {
  const next = await nextClass();
  const teacher = await buildTeacher(owner, next);
  await owner('enrollment').where({ studentId: pupil.id }).update({ classId: next.id });
  await daily();
  assert.equal([(await plans.row(pupil, assignmentId)).classId, await provider()], [next.id, teacher.id]);
});

test('plans that go back to their classes with a roll-over leave the providers of the new ones', async () => {
  const { organizationId, id, classRow } = pupil;
  const next = await nextClass();
  const teacher = await buildTeacher(owner, next);
  await move(next);
  assert.is(await provider(), teacher.id);
  await owner('enrollment').where({ studentId: id, classId: next.id }).update({ classId: classRow.id });
  await inContext(services.db, { organizationId }, (trx) =>
    followEnrollments(trx, { organizationId, studentIds: [id] }),
  );
  assert.is(await awaits(), true);
  await daily();
  assert.equal([await provider(), await left()], [pupil.teacher.id, 2]);
});

test('under the version before providers stay as they are', async () => {
  const { pin } = deskOf(app, () => {
    throw new Error('no request is inserted');
  });
  const next = await nextClass();
  const teacher = await buildTeacher(owner, next);
  await pin({ 'bundle/settings': 1 });
  try {
    await move(next);
    await daily();
    assert.equal([await provider(), await left()], [pupil.teacher.id, 0]);
  } finally {
    await pin({ 'bundle/settings': 2 });
  }
  await daily();
  assert.is(await provider(), teacher.id);
});

test.run();
