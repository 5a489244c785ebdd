// Teachers of a class: exactly one PRIMARY, also under concurrent changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface ClassBody {
  readonly code?: string;
  readonly teachers: readonly { readonly teacherUserId: number; readonly role: string }[];
}

const admin = () => ({ token: world.own.people.ADMIN.token });
const organizationId = () => world.own.organizationId;
const schoolId = () => world.own.school.id;
const newClass = async () => (await buildClass(owner, { organizationId: organizationId(), schoolId: schoolId() })).id;
const newTeacher = async () => (await buildUser(owner, 'TEACHER', { organizationId: organizationId() })).id;
const attach = (classId: number, teacherUserId: number) =>
  app.post<ClassBody>(`/api/classes/${classId}/teachers`, { teacherUserId }, admin());
const detach = (classId: number, teacherUserId: number) =>
  app.delete(`/api/classes/${classId}/teachers/${teacherUserId}`, admin());

async function teachersOf(classId: number): Promise<string[]> {
  const { body } = await app.get<ClassBody>(`/api/classes/${classId}`, admin());
  return body.teachers.map(({ teacherUserId, role }) => `${teacherUserId} ${role}`);
}

test('the first teacher attached is PRIMARY, later ones SECONDARY', async () => {
  const classId = await newClass();
  const [a, b, c] = [await newTeacher(), await newTeacher(), await newTeacher()];
  for (const id of [b, a, c]) assert.is((await attach(classId, id)).status, 201);
  assert.equal(await teachersOf(classId), [`${b} PRIMARY`, `${a} SECONDARY`, `${c} SECONDARY`]);
});

test('removing the PRIMARY promotes the SECONDARY who was attached first', async () => {
  const classId = await newClass();
  const [a, b, c] = [await newTeacher(), await newTeacher(), await newTeacher()];
  for (const id of [c, b, a]) await attach(classId, id);
  assert.is((await detach(classId, c)).status, 204);
  assert.equal(await teachersOf(classId), [`${b} PRIMARY`, `${a} SECONDARY`]);
});

test('removing a SECONDARY promotes no teacher; a teacher who returns is last', async () => {
  const classId = await newClass();
  const [a, b, c] = [await newTeacher(), await newTeacher(), await newTeacher()];
  for (const id of [a, b, c]) await attach(classId, id);
  await detach(classId, b);
  await attach(classId, b);
  assert.equal(await teachersOf(classId), [`${a} PRIMARY`, `${c} SECONDARY`, `${b} SECONDARY`]);
  await detach(classId, a);
  assert.equal(await teachersOf(classId), [`${c} PRIMARY`, `${b} SECONDARY`]);
});

test('the last teacher may leave, and the next one is PRIMARY again', async () => {
  const classId = await newClass();
  const [a, b] = [await newTeacher(), await newTeacher()];
  await attach(classId, a);
  await detach(classId, a);
  assert.equal(await teachersOf(classId), []);
  await attach(classId, b);
  assert.equal(await teachersOf(classId), [`${b} PRIMARY`]);
});

test('attaching twice is 409, removing twice 404', async () => {
  const classId = await newClass();
  const teacher = await newTeacher();
  await attach(classId, teacher);
  const again = await attach(classId, teacher);
  assert.is(again.status, 409);
  assert.is(again.body.code, 'CONFLICT');
  await detach(classId, teacher);
  assert.is((await detach(classId, teacher)).status, 404);
});

test('a person who is no teacher is 422', async () => {
  const { people } = world.own;
  for (const { id } of [people.PRINCIPAL, people.PARENT, people.STUDENT, people.ADMIN]) {
    assert.is((await attach(await newClass(), id)).status, 422);
  }
});

test('an erased teacher is 404', async () => {
  const { id } = await buildUser(owner, 'TEACHER', { organizationId: organizationId(), status: 'deleted' });
  assert.is((await attach(await newClass(), id)).status, 404);
});

test('ten teachers attached concurrently: one PRIMARY', async () => {
  const classId = await newClass();
  const teachers = await Promise.all(Array.from({ length: 10 }, newTeacher));
  const replies = await Promise.all(teachers.map((id) => attach(classId, id)));
  assert.equal(new Set(replies.map(({ status }) => status)), new Set([201]));
  const roles = (await teachersOf(classId)).map((text) => text.split(' ')[1]);
  assert.equal(roles, ['PRIMARY', ...Array(9).fill('SECONDARY')]);
});

test('one teacher attached ten times concurrently is attached once', async () => {
  const classId = await newClass();
  const teacher = await newTeacher();
  const replies = await Promise.all(Array.from({ length: 10 }, () => attach(classId, teacher)));
  assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
});

test('concurrent changes of teachers: there is one PRIMARY while there is a teacher', async () => {
  const classId = await newClass();
  const [a, b, c, d] = [await newTeacher(), await newTeacher(), await newTeacher(), await newTeacher()];
  for (const id of [a, b]) await attach(classId, id);
  await Promise.all([detach(classId, a), attach(classId, c), detach(classId, b), attach(classId, d)]);
  const roles = (await teachersOf(classId)).map((text) => text.split(' ')[1]).sort();
  assert.equal(roles, ['PRIMARY', 'SECONDARY']);
});

test('the database itself refuses a second PRIMARY', async () => {
  const classId = await newClass();
  await attach(classId, await newTeacher());
  const row = { organizationId: organizationId(), classId, teacherUserId: await newTeacher(), role: 'PRIMARY' };
  await owner('class_teacher')
    .insert(row)
    .then(
      () => assert.unreachable('inserted'),
      (error: { constraint?: string }) => assert.is(error.constraint, 'class_teacher_one_primary'),
    );
});

test.run();
