// Classes: grades, school years, reach of the lists, archiving and removal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildStudent, buildUser } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

type Body = Record<string, unknown>;

const admin = () => ({ token: world.own.people.ADMIN.token });
const create = (change: Body = {}) =>
  app.post<Body>(
    '/api/classes',
    { schoolId: world.own.school.id, name: '1C', grade: 1, academicYear: '2025-2026', ...change },
    admin(),
  );
const newClass = () => buildClass(owner, { organizationId: world.own.organizationId, schoolId: world.own.school.id });

test('a class without teachers', async () => {
  const { status, body } = await create();
  assert.is(status, 201);
  const { id, ...fields } = body;
  assert.type(id, 'number');
  assert.equal(fields, {
    schoolId: world.own.school.id,
    name: '1C',
    grade: 1,
    academicYear: '2025-2026',
    archivedAt: null,
    teachers: [],
  });
});

test('the first of the given teachers is PRIMARY', async () => {
  const { organizationId } = world.own;
  const [first, second] = [
    await buildUser(owner, 'TEACHER', { organizationId }),
    await buildUser(owner, 'TEACHER', { organizationId }),
  ];
  const { body } = await create({ teacherUserIds: [second.id, first.id] });
  assert.equal(body.teachers, [
    { teacherUserId: second.id, role: 'PRIMARY' },
    { teacherUserId: first.id, role: 'SECONDARY' },
  ]);
});

for (const grade of [1, 2, 3, 4]) {
  test(`grade ${grade} is accepted`, async () => assert.is((await create({ grade })).status, 201));
}

for (const [field, value] of [
  ['grade', 0],
  ['grade', 5],
  ['grade', 1.5],
  ['grade', '1'],
  ['academicYear', '2025'],
  ['academicYear', '2025-2027'],
  ['academicYear', '2025-2025'],
  ['academicYear', '2026-2025'],
  ['academicYear', '25-26'],
  ['name', ''],
  ['schoolId', 7],
  ['teacherUserIds', [1, 1]],
] as const) {
  test(`${field} ${JSON.stringify(value)} is 422, for a new class and for a change`, async () => {
    const { status, body } = await create({ [field]: value });
    assert.is(status, 422);
    assert.ok(String((body.details as { field: string }[])[0]?.field).startsWith(field), JSON.stringify(body));
    assert.is((await app.patch(`/api/classes/${world.own.classRow.id}`, { [field]: value }, admin())).status, 422);
  });
}

test('a person who is no teacher is 422, an unknown or foreign one 404, and no class is created', async () => {
  const before = await owner('class').count();
  assert.is((await create({ teacherUserIds: [world.own.people.PARENT.id] })).status, 422);
  assert.is((await create({ teacherUserIds: [world.other.people.TEACHER.id] })).status, 404);
  assert.equal(await owner('class').count(), before);
});

test('PATCH changes name, grade and year, archives and restores', async () => {
  const { id } = await newClass();
  const changed = await app.patch<Body>(
    `/api/classes/${id}`,
    { name: '2A', grade: 2, academicYear: '2026-2027' },
    admin(),
  );
  assert.equal([changed.body.name, changed.body.grade, changed.body.academicYear], ['2A', 2, '2026-2027']);
  const archived = await app.patch<Body>(`/api/classes/${id}`, { archived: true }, admin());
  assert.is(archived.body.archivedAt, app.clock.now().toISOString());
  const opened = await app.patch<Body>(`/api/classes/${id}`, { archived: false }, admin());
  assert.is(opened.body.archivedAt, null);
});

test('a new grade requests a re-evaluation of each enrolled student; an unchanged grade does not', async () => {
  const row = await newClass();
  const student = await buildStudent(owner, row);
  const events = () => owner('outbox').whereRaw("(payload->>'studentId')::bigint = ?", [student.id]);
  await app.patch(`/api/classes/${row.id}`, { grade: 1 }, admin());
  assert.is((await events()).length, 0);
  await app.patch(`/api/classes/${row.id}`, { grade: 3 }, admin());
  const [event, ...more] = await events();
  assert.equal(more, []);
  assert.is(event.topic, 'student.grade_changed');
});

test('an empty class is removed', async () => {
  const { id } = await newClass();
  assert.is((await app.delete(`/api/classes/${id}`, admin())).status, 204);
  assert.is((await app.get(`/api/classes/${id}`, admin())).status, 404);
});

test('a class with students is 409 and stays', async () => {
  const row = await newClass();
  await buildStudent(owner, row);
  const { status, body } = await app.delete<Body>(`/api/classes/${row.id}`, admin());
  assert.is(status, 409);
  assert.is(body.code, 'CONFLICT');
  assert.is((await app.get(`/api/classes/${row.id}`, admin())).status, 200);
});

test('a class with history is archived, keeps its history and is no longer listed', async () => {
  const row = await newClass();
  const student = await buildStudent(owner, row);
  await app.delete(`/api/classes/${row.id}/students/${student.id}`, admin());
  assert.is((await app.delete(`/api/classes/${row.id}`, admin())).status, 204);
  const { status, body } = await app.get<Body>(`/api/classes/${row.id}`, admin());
  assert.is(status, 200);
  assert.is(body.archivedAt, app.clock.now().toISOString());
  assert.is((await owner('enrollment').where({ classId: row.id })).length, 1);
  assert.not.ok((await listed('?limit=100')).includes(row.id));
  assert.ok((await listed('?limit=100&archived=true')).includes(row.id));
});

test('concurrent removal and first enrollment never leave a student in an archived or missing class', async () => {
  const { organizationId } = world.own;
  for (let round = 0; round < 8; round += 1) {
    const row = await newClass();
    if (round % 2 === 1) await storeHistory(row.id);
    const student = await buildUser(owner, 'STUDENT', { organizationId });
    const [removed, enrolled] = await Promise.all([
      app.delete(`/api/classes/${row.id}`, admin()),
      app.post(`/api/classes/${row.id}/students`, { studentIds: [student.id] }, admin()),
    ]);
    const context = `delete ${removed.status}, enroll ${enrolled.status} ${JSON.stringify(enrolled.body)}`;
    assert.ok(removed.status === 204 ? [404, 409].includes(enrolled.status) : removed.status === 409, context);
    if (removed.status === 409) assert.is(enrolled.status, 201, context);
  }
});

async function storeHistory(classId: number): Promise<void> {
  const student = await buildUser(owner, 'STUDENT', { organizationId: world.own.organizationId });
  await owner('enrollment').insert({
    organizationId: world.own.organizationId,
    studentId: student.id,
    classId,
    enrolledFrom: '2025-09-01',
    enrolledTo: '2025-10-01',
  });
}

async function listed(query: string, token = world.own.people.ADMIN.token): Promise<number[]> {
  const { body } = await app.get<{ items: { id: number }[] }>(`/api/classes${query}`, { token });
  return body.items.map(({ id }) => id);
}

test('lists contain the classes in reach', async () => {
  const { people, classRow, classElsewhere, school } = world.own;
  assert.equal(await listed('?limit=100', people.TEACHER.token), [classRow.id]);
  assert.equal(await listed('?limit=100', people['TEACHER elsewhere'].token), [classElsewhere.id]);
  const open = (where: object) => owner('class').where(where).whereNull('archivedAt').orderBy('id');
  const ofSchool = (await open({ schoolId: school.id })).map(({ id }) => id);
  assert.equal(await listed('?limit=100', people.PRINCIPAL.token), ofSchool);
  assert.equal(await listed(`?limit=100&schoolId=${school.id}`, people.ADMIN.token), ofSchool);
  const ofOrganization = (await open({ organizationId: world.own.organizationId })).map(({ id }) => id);
  assert.equal(await listed('?limit=100', people.MANAGER.token), ofOrganization);
});

test.run();
