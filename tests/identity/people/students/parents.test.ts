// Links between parents and children: one per pair, each with its own id.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildParent, buildStudent, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

interface Link {
  readonly childId: string;
  readonly code?: string;
}

const admin = () => ({ token: world.own.people.ADMIN.token });
const newStudent = () => buildStudent(owner, world.own.classRow);
const newParent = () => buildUser(owner, 'PARENT', { organizationId: world.own.organizationId });
const link = (studentId: number, parentUserId: unknown) =>
  app.post<Link>(`/api/students/${studentId}/parents`, { parentUserId }, admin());
const unlink = (studentId: number, parentUserId: number) =>
  app.delete(`/api/students/${studentId}/parents/${parentUserId}`, admin());

test('the id of a link discloses nothing about the student', async () => {
  const [student, parent] = [await newStudent(), await newParent()];
  const { status, body } = await link(student.id, parent.id);
  assert.is(status, 201);
  assert.equal(body, { childId: body.childId, parentUserId: parent.id, studentId: student.id });
  assert.match(body.childId, /^[a-z][a-z0-9]{23}$/);
});

test('two parents of a child, two children of a parent: four links with four ids', async () => {
  const students = [await newStudent(), await newStudent()];
  const parents = [await newParent(), await newParent()];
  const handles = new Set<string>();
  for (const student of students) {
    for (const parent of parents) handles.add((await link(student.id, parent.id)).body.childId);
  }
  assert.is(handles.size, 4);
});

test('linking twice is 409, and of ten concurrent requests one succeeds', async () => {
  const [student, parent] = [await newStudent(), await newParent()];
  const replies = await Promise.all(Array.from({ length: 10 }, () => link(student.id, parent.id)));
  assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  assert.is((await link(student.id, parent.id)).body.code, 'CONFLICT');
});

test('a new link after a removal has a new id', async () => {
  const student = await newStudent();
  const { id, childId } = await buildParent(owner, student);
  assert.is((await unlink(student.id, id)).status, 204);
  assert.is((await unlink(student.id, id)).status, 404);
  const again = await link(student.id, id);
  assert.is(again.status, 201);
  assert.is.not(again.body.childId, childId);
});

test('a person who is no parent is 422', async () => {
  const { people } = world.own;
  for (const { id } of [people.TEACHER, people.STUDENT, people.ADMIN]) {
    assert.is((await link(people.STUDENT.id, id)).status, 422);
  }
});

test('a path with the id of a person who is no student is 404', async () => {
  const parent = await newParent();
  for (const { id } of [world.own.people.TEACHER, world.own.people.PARENT]) {
    assert.is((await link(id, parent.id)).status, 404);
  }
});

test('an erased student or parent is 404', async () => {
  const { organizationId } = world.own;
  const erased = { organizationId, status: 'deleted' };
  const [student, parent] = [await buildUser(owner, 'STUDENT', erased), await buildUser(owner, 'PARENT', erased)];
  assert.is((await link(student.id, (await newParent()).id)).status, 404);
  assert.is((await link((await newStudent()).id, parent.id)).status, 404);
});

test('the database itself refuses a link across organizations', async () => {
  const { organizationId, people } = world.own;
  const row = {
    childId: 'x',
    organizationId,
    studentId: people.STUDENT.id,
    parentUserId: world.other.people.PARENT.id,
  };
  await owner('parent_student')
    .insert(row)
    .then(
      () => assert.unreachable('inserted'),
      (error: { code?: string }) => assert.is(error.code, '23503'),
    );
});

test.run();
