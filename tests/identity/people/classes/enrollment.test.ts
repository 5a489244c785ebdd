// Enrollments: at most one open per student, with history, also under concurrent changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildStudent, buildUser, type ClassRow, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

/** Signs in for each request, because the clock advances. */
const admin = async () => ({ token: await signIn(app, world.own.people.ADMIN) });
const newClass = (overrides: object = {}): Promise<ClassRow> =>
  buildClass(owner, { organizationId: world.own.organizationId, schoolId: world.own.school.id, ...overrides });
const newStudent = async () => (await buildUser(owner, 'STUDENT', { organizationId: world.own.organizationId })).id;
const enroll = async ({ id }: ClassRow, studentIds: unknown) =>
  app.post<{ enrolled?: number; code?: string }>(`/api/classes/${id}/students`, { studentIds }, await admin());
const remove = async ({ id }: ClassRow, studentId: number) =>
  app.delete(`/api/classes/${id}/students/${studentId}`, await admin());

interface EnrollmentPeriod {
  readonly classId: number;
  readonly enrolledFrom: string;
  readonly enrolledTo: string | null;
}

const enrollmentsOf = (studentId: number): Promise<EnrollmentPeriod[]> =>
  owner('enrollment').where({ studentId }).orderBy('id').select('classId', 'enrolledFrom', 'enrolledTo');
const open = async (studentId: number) =>
  (await enrollmentsOf(studentId)).filter(({ enrolledTo }) => enrolledTo === null);

test('students are enrolled from today, the local date of the organization', async () => {
  const row = await newClass();
  const students = [await newStudent(), await newStudent()];
  // 22:30 in UTC is the next day in Riyadh.
  app.clock.set('2026-01-15T22:30:00.000Z');
  const { status, body } = await enroll(row, students);
  assert.is(status, 201);
  assert.equal(body, { enrolled: 2 });
  for (const id of students) {
    assert.equal(await enrollmentsOf(id), [{ classId: row.id, enrolledFrom: '2026-01-16', enrolledTo: null }]);
  }
});

test('moving a student closes the old enrollment', async () => {
  const [from, to] = [await newClass(), await newClass({ name: '1B' })];
  const student = await buildStudent(owner, from);
  app.clock.set('2026-02-01T08:00:00.000Z');
  assert.is((await enroll(to, [student.id])).status, 201);
  assert.equal(await enrollmentsOf(student.id), [
    { classId: from.id, enrolledFrom: '2025-08-31', enrolledTo: '2026-02-01' },
    { classId: to.id, enrolledFrom: '2026-02-01', enrolledTo: null },
  ]);
});

test('a move is atomic: with one unknown student no student moves', async () => {
  const [from, to] = [await newClass(), await newClass({ name: '1B' })];
  const student = await buildStudent(owner, from);
  for (const stranger of [world.other.people.STUDENT.id, world.own.people.TEACHER.id, Number.MAX_SAFE_INTEGER]) {
    assert.is((await enroll(to, [student.id, stranger])).status, 404);
  }
  assert.equal(
    (await open(student.id)).map(({ classId }) => classId),
    [from.id],
  );
});

test('enrolling a student again in their class changes nothing', async () => {
  const row = await newClass();
  const student = await buildStudent(owner, row);
  assert.is((await enroll(row, [student.id])).status, 201);
  assert.is((await enrollmentsOf(student.id)).length, 1);
});

test('a move to another grade requests a re-evaluation, a move within the grade does not', async () => {
  const [first, same, higher] = [await newClass(), await newClass({ name: '1B' }), await newClass({ grade: 2 })];
  const student = await buildStudent(owner, first);
  const changes = async () => (await topicsOf(student.id)).filter((topic) => topic !== 'student.enrollment_changed');
  await enroll(same, [student.id]);
  assert.equal(await changes(), []);
  await enroll(higher, [student.id]);
  assert.equal(await changes(), ['student.grade_changed']);
});

test('enrolling, moving, leaving and erasure raise events; enrolling again in the same class does not', async () => {
  const [first, second] = [await newClass(), await newClass({ name: '1B' })];
  const studentId = await newStudent();
  const counts: number[] = [];
  for (const happening of [
    () => enroll(first, [studentId]),
    () => enroll(first, [studentId]),
    () => enroll(second, [studentId]),
    () => remove(second, studentId),
    () => enroll(first, [studentId]),
    async () => app.post(`/api/students/${studentId}/erasure`, undefined, await admin()),
  ]) {
    await happening();
    counts.push((await topicsOf(studentId)).length);
  }
  assert.equal(counts, [1, 1, 2, 3, 4, 5]);
});

async function topicsOf(studentId: number): Promise<string[]> {
  const rows = await owner('outbox').whereRaw("(payload->>'studentId')::bigint = ?", [studentId]).orderBy('id');
  return rows.map(({ topic }: { topic: string }) => topic);
}

test('a student moved to ten classes concurrently is in one, and all other enrollments are closed', async () => {
  const classes = await Promise.all(Array.from({ length: 10 }, () => newClass()));
  const student = await buildStudent(owner, await newClass());
  const replies = await Promise.all(classes.map((row) => enroll(row, [student.id])));
  assert.equal(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.is((await open(student.id)).length, 1);
  assert.is((await enrollmentsOf(student.id)).length, 11);
});

test('two classes that swap their students concurrently do not deadlock', async () => {
  const [left, right] = [await newClass(), await newClass({ name: '1B' })];
  const students = await Promise.all(Array.from({ length: 12 }, newStudent));
  const replies = await Promise.all([enroll(left, students), enroll(right, students.toReversed())]);
  assert.equal(
    replies.map(({ status }) => status),
    [201, 201],
  );
  for (const id of students) assert.is((await open(id)).length, 1);
});

test('the database itself refuses a second open enrollment', async () => {
  const student = await buildStudent(owner);
  const { organizationId } = student;
  const { classId } = await owner('enrollment').where({ studentId: student.id }).first('classId');
  await owner('enrollment')
    .insert({ organizationId, studentId: student.id, classId, enrolledFrom: '2026-01-01' })
    .then(
      () => assert.unreachable('inserted'),
      (error: { constraint?: string }) => assert.is(error.constraint, 'enrollment_one_open'),
    );
});

test('leaving a class closes the enrollment and keeps it; leaving again is 404', async () => {
  const row = await newClass();
  const student = await buildStudent(owner, row);
  app.clock.set('2026-03-01T08:00:00.000Z');
  assert.is((await remove(row, student.id)).status, 204);
  assert.equal(await enrollmentsOf(student.id), [
    { classId: row.id, enrolledFrom: '2025-08-31', enrolledTo: '2026-03-01' },
  ]);
  assert.is((await remove(row, student.id)).status, 404);
});

test('a student of another class cannot be removed from this one', async () => {
  const student = await buildStudent(owner, await newClass());
  assert.is((await remove(await newClass(), student.id)).status, 404);
  assert.is((await open(student.id)).length, 1);
});

test('no student can be enrolled in an archived class', async () => {
  const { status, body } = await enroll(await newClass({ archivedAt: new Date() }), [await newStudent()]);
  assert.is(status, 409);
  assert.is(body.code, 'CONFLICT');
});

test('an erased student is 404', async () => {
  const { id } = await buildUser(owner, 'STUDENT', { organizationId: world.own.organizationId, status: 'deleted' });
  assert.is((await enroll(await newClass(), [id])).status, 404);
});

for (const studentIds of [
  [],
  [0],
  [1.5],
  ['1'],
  [7, 7],
  Array.from({ length: 101 }, (_, index) => index + 1),
  7,
  null,
]) {
  test(`studentIds ${JSON.stringify(studentIds).slice(0, 20)} is 422`, async () => {
    assert.is((await enroll(world.own.classRow, studentIds)).status, 422);
  });
}

test.run();
