// The caller's own account. Permissions are those of the matrix per persona.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type PersonName, type World } from '../../../harness/world.ts';

const app = useApp(test);
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const permissions: Readonly<Record<string, readonly string[]>> = {
  SUPER: [
    'APPROVE_RULES',
    'MANAGE_LMS_CONNECTIONS',
    'MANAGE_ORG',
    'MANAGE_ROSTER',
    'PUBLISH_RULES',
    'RUN_BACKOFFICE',
    'SUPER_ADMIN',
    'USE_DIAGNOSTIC_ENGINE',
    'VIEW_ORG_AGGREGATES',
    'VIEW_OWN_CLASSES',
    'VIEW_QA_REGISTRY',
    'VIEW_SCHOOL_AGGREGATES',
  ],
  ADMIN: [
    'MANAGE_LMS_CONNECTIONS',
    'MANAGE_ORG',
    'MANAGE_ROSTER',
    'USE_DIAGNOSTIC_ENGINE',
    'VIEW_ORG_AGGREGATES',
    'VIEW_OWN_CLASSES',
    'VIEW_QA_REGISTRY',
    'VIEW_SCHOOL_AGGREGATES',
  ],
  MANAGER: ['VIEW_ORG_AGGREGATES', 'VIEW_SCHOOL_AGGREGATES'],
  PRINCIPAL: ['VIEW_OWN_CLASSES', 'VIEW_SCHOOL_AGGREGATES'],
  TEACHER: ['USE_DIAGNOSTIC_ENGINE', 'VIEW_OWN_CLASSES'],
  PARENT: ['VIEW_OWN_CHILDREN', 'VIEW_PARENT_REPORTS'],
  STUDENT: ['TAKE_DIAGNOSTIC'],
};

const withClasses = new Set(['PRINCIPAL', 'TEACHER', 'STUDENT']);

async function me(token: string) {
  const { status, body } = await app.get<Record<string, unknown>>('/api/auth/me', { token });
  assert.is(status, 200, JSON.stringify(body));
  return { ...body, permissions: [...(body.permissions as string[])].sort() };
}

for (const persona of ['ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT'] as const) {
  test(`${persona}: account, permissions and classes`, async () => {
    const person = world.own.people[persona as PersonName];
    assert.equal(await me(person.token), {
      id: person.id,
      email: person.email,
      fullNameAr: 'مستخدم للاختبار',
      primaryPersona: persona,
      organizationId: world.own.organizationId,
      permissions: permissions[persona],
      classIds: withClasses.has(persona) ? [world.own.classRow.id] : [],
      seats: [],
    });
  });
}

test('SUPER: no organization, no classes', async () => {
  const { token } = world.superAdmin;
  const { organizationId, classIds, primaryPersona, permissions: held } = (await me(token)) as Record<string, unknown>;
  assert.equal(
    { organizationId, classIds, primaryPersona, held },
    { organizationId: null, classIds: [], primaryPersona: 'ADMIN', held: permissions.SUPER },
  );
});

test('a principal sees only classes of the own schools, without archived ones', async () => {
  const { owner } = app.database;
  const { organizationId, school, people, classRow } = world.own;
  const second = await buildClass(owner, { organizationId, schoolId: school.id, name: '1B' });
  await buildClass(owner, { organizationId, schoolId: school.id, name: 'old', archivedAt: new Date(0) });
  const { classIds } = (await me(people.PRINCIPAL.token)) as Record<string, unknown>;
  assert.equal(classIds, [classRow.id, second.id]);
});

test.run();
