// Creation of accounts per persona: the allowed fields of each body, the rows of the persona, and every refusal.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildClass, password } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

type Body = Record<string, unknown>;

const email = () => `${newId()}@example.org`;

/** A valid body for each persona. */
const bodies: Readonly<Record<string, () => Body>> = {
  ADMIN: () => ({ email: email(), password, organizationId: world.own.organizationId }),
  MANAGER: () => ({ email: email(), password, organizationId: world.own.organizationId }),
  PRINCIPAL: () => ({
    email: email(),
    password,
    organizationId: world.own.organizationId,
    schoolIds: [world.own.school.id],
  }),
  TEACHER: () => ({ email: email(), password, organizationId: world.own.organizationId }),
  PARENT: () => ({ email: email(), password, organizationId: world.own.organizationId }),
  STUDENT: () => ({ organizationId: world.own.organizationId, classId: world.own.classRow.id }),
};
const personas = Object.keys(bodies);

const bodyFor = (persona: string, change: Body = {}): Body => ({
  primaryPersona: persona,
  fullNameAr: 'اسم كامل',
  ...bodies[persona]?.(),
  ...change,
});
const create = (body: Body, token = world.own.people.ADMIN.token) => app.post<Body>('/api/users', body, { token });

for (const persona of personas) {
  for (const caller of ['ADMIN', 'SUPER'] as const) {
    test(`${caller} creates a ${persona}`, async () => {
      const token = caller === 'SUPER' ? world.superAdmin.token : world.own.people.ADMIN.token;
      const input = bodyFor(persona);
      const { status, body } = await create(input, token);
      assert.is(status, 201, JSON.stringify(body));
      const { id, quickCode: _quickCode, possibleDuplicates, ...fields } = body;
      assert.type(id, 'number');
      assert.is(Array.isArray(possibleDuplicates), persona === 'STUDENT');
      assert.equal(fields, {
        email: input.email ?? null,
        primaryPersona: persona,
        organizationId: world.own.organizationId,
        fullNameAr: 'اسم كامل',
      });
    });
  }

  for (const field of Object.keys({ fullNameAr: 1, ...requiredOf(persona) })) {
    test(`${persona} without ${field} is 422`, async () => {
      const { [field]: _gone, ...rest } = bodyFor(persona);
      const { status, body } = await create(rest);
      assert.is(status, 422, JSON.stringify(body));
      assert.is((body.details as { field: string }[])[0]?.field, field);
    });
  }

  test(`${persona} with a field of another persona is 422`, async () => {
    const foreign = persona === 'PRINCIPAL' ? { studentIds: [1] } : { schoolIds: [world.own.school.id] };
    assert.is((await create(bodyFor(persona, foreign))).status, 422);
  });
}

function requiredOf(persona: string): Record<string, true> {
  const organization = { organizationId: true } as const;
  if (persona === 'STUDENT') return { ...organization, classId: true };
  return { ...organization, email: true, password: true, ...(persona === 'PRINCIPAL' && { schoolIds: true as const }) };
}

test('manager in lower case is stored as MANAGER', async () => {
  const { status, body } = await create(bodyFor('MANAGER', { primaryPersona: 'manager' }));
  assert.is(status, 201);
  assert.is(body.primaryPersona, 'MANAGER');
});

test('only a SUPER administrator creates another one; an organizationId in the body is 422', async () => {
  const { organizationId: _none, ...body } = bodyFor('ADMIN', { scope: 'SUPER' });
  const refused = await create(body);
  assert.is(refused.status, 403);
  assert.is(refused.body.code, 'PERMISSION_DENIED');
  const made = await create(body, world.superAdmin.token);
  assert.is(made.status, 201);
  assert.is(made.body.organizationId, null);
  assert.is((await create(bodyFor('ADMIN', { scope: 'SUPER' }), world.superAdmin.token)).status, 422);
});

test('only an ADMIN may have seats', async () => {
  const seats = ['HIGH_INTENSITY_SPECIALIST'];
  const { body } = await create(bodyFor('ADMIN', { seats }));
  const { body: person } = await app.get<Body>(`/api/users/${body.id}`, { token: world.own.people.ADMIN.token });
  assert.equal(person.seats, seats);
  assert.is((await create(bodyFor('ADMIN', { seats: ['THRONE'] }))).status, 422);
  assert.is((await create(bodyFor('TEACHER', { seats }))).status, 422);
});

test('a principal gets the schools, a teacher the classes, a parent the children, a student the class', async () => {
  const { organizationId, school, people } = world.own;
  const row = await buildClass(owner, { organizationId, schoolId: school.id });
  const principal = (await create(bodyFor('PRINCIPAL'))).body;
  const teacher = (await create(bodyFor('TEACHER', { classIds: [row.id] }))).body;
  const parent = (await create(bodyFor('PARENT', { studentIds: [people.STUDENT.id] }))).body;
  const student = (await create(bodyFor('STUDENT', { classId: row.id }))).body;
  const one = async (table: string, where: object) => (await owner(table).where(where)).length;
  assert.is(await one('principal_school', { principalUserId: principal.id, schoolId: school.id }), 1);
  assert.is(await one('class_teacher', { teacherUserId: teacher.id, classId: row.id, role: 'PRIMARY' }), 1);
  assert.is(await one('parent_student', { parentUserId: parent.id, studentId: people.STUDENT.id }), 1);
  assert.is(await one('enrollment', { studentId: student.id, classId: row.id, enrolledTo: null }), 1);
});

test('ids of another organization in the body are 404, and no user is left', async () => {
  const before = await owner('app_user').count();
  const { organizationId, school, classRow, people } = world.other;
  for (const body of [
    bodyFor('TEACHER', { organizationId }),
    bodyFor('PRINCIPAL', { schoolIds: [world.own.school.id, school.id] }),
    bodyFor('TEACHER', { classIds: [world.own.classRow.id, classRow.id] }),
    bodyFor('PARENT', { studentIds: [people.STUDENT.id] }),
    bodyFor('STUDENT', { classId: classRow.id }),
  ]) {
    const { status, body: answer } = await create(body);
    assert.is(status, 404, JSON.stringify(answer));
    assert.is((await create(body, world.superAdmin.token)).status, body.organizationId === organizationId ? 201 : 404);
  }
  // A SUPER administrator may create the first of them.
  assert.equal(Number((await owner('app_user').count())[0]?.count), Number(before[0]?.count) + 1);
});

test('a parent of a person who is no student is 404', async () => {
  assert.is((await create(bodyFor('PARENT', { studentIds: [world.own.people.TEACHER.id] }))).status, 404);
});

test('a student may sign in by e-mail: with both e-mail and password, or neither', async () => {
  assert.is((await create(bodyFor('STUDENT', { email: email(), password }))).status, 201);
  assert.is((await create(bodyFor('STUDENT', { email: email() }))).status, 422);
  assert.is((await create(bodyFor('STUDENT', { password }))).status, 422);
});

test('a student in an archived class is 409', async () => {
  const { organizationId, school } = world.own;
  const row = await buildClass(owner, { organizationId, schoolId: school.id, archivedAt: new Date() });
  assert.is((await create(bodyFor('STUDENT', { classId: row.id }))).status, 409);
});

for (const [what, change] of [
  ['a short password', { password: '1234567' }],
  ['a long password', { password: 'x'.repeat(129) }],
  ['an e-mail that is none', { email: 'nobody' }],
  ['a blank name', { fullNameAr: ' ' }],
  ['another persona', { primaryPersona: 'JANITOR' }],
  ['a scope', { scope: 'ORGANIZATION' }],
] as const) {
  test(`${what} is 422`, async () => assert.is((await create(bodyFor('TEACHER', change))).status, 422));
}

test('a password that is the e-mail is 422', async () => {
  assert.is(
    (await create(bodyFor('TEACHER', { email: 'Same@Example.org', password: 'same@example.org' }))).status,
    422,
  );
});

test('a taken e-mail is 409 EMAIL_EXISTS, in any case of letters and from any organization', async () => {
  for (const { people } of [world.own, world.other]) {
    const { status, body } = await create(
      bodyFor('TEACHER', { email: ` ${String(people.TEACHER.email).toUpperCase()}` }),
    );
    assert.is(status, 409);
    assert.is(body.code, 'EMAIL_EXISTS');
  }
});

test('of ten concurrent creations with one e-mail address one succeeds', async () => {
  const same = email();
  const replies = await Promise.all(Array.from({ length: 10 }, () => create(bodyFor('PARENT', { email: same }))));
  assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  assert.equal(new Set(replies.map(({ body }) => body.code)), new Set([undefined, 'EMAIL_EXISTS']));
});

test('an external id is unique in its organization, and free in another', async () => {
  const externalId = 'SIS-0001';
  assert.is((await create(bodyFor('STUDENT', { externalId }))).status, 201);
  assert.is((await create(bodyFor('STUDENT', { externalId }))).status, 409);
  const elsewhere = { organizationId: world.other.organizationId, classId: world.other.classRow.id };
  assert.is((await create(bodyFor('STUDENT', { externalId, ...elsewhere }), world.superAdmin.token)).status, 201);
});

test.run();
