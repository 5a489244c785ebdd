// Schools: in the country of their organization, removed only when nothing depends on them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass, buildSchool } from '../../../harness/factories.ts';
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
    '/api/schools',
    { organizationId: world.own.organizationId, name: 'مدرسة', country: 'SA', ...change },
    admin(),
  );

test('a school is created in the own organization', async () => {
  const { status, body } = await create();
  assert.is(status, 201);
  const { id, ...fields } = body;
  assert.type(id, 'string');
  assert.equal(fields, {
    organizationId: world.own.organizationId,
    name: 'مدرسة',
    country: 'SA',
    minClusterSize: null,
    timeZone: null,
  });
});

test('another country than the organization’s is 422', async () => {
  const { status, body } = await create({ country: 'EG' });
  assert.is(status, 422);
  assert.is((body.details as { field: string }[])[0]?.field, 'country');
});

test('the database itself refuses another country', async () => {
  const { organizationId } = world.own;
  await buildSchool(owner, { organizationId, country: 'EG' }).then(
    () => assert.unreachable('inserted'),
    (error: { constraint?: string }) => assert.is(error.constraint, 'school_country_matches'),
  );
});

test('PATCH changes name, cluster size and time zone; null takes the organization’s value', async () => {
  const { id } = (await create()).body;
  const change = { name: 'أخرى', minClusterSize: 4, timeZone: 'Africa/Cairo' };
  const changed = await app.patch<Body>(`/api/schools/${id}`, change, admin());
  assert.is(changed.status, 200);
  const { name, minClusterSize, timeZone } = changed.body;
  assert.equal({ name, minClusterSize, timeZone }, change);
  const reset = await app.patch<Body>(`/api/schools/${id}`, { minClusterSize: null, timeZone: null }, admin());
  assert.equal([reset.body.minClusterSize, reset.body.timeZone], [null, null]);
});

for (const change of [
  {},
  { country: 'EG' },
  { organizationId: 'x' },
  { minClusterSize: 1 },
  { minClusterSize: 6 },
  { timeZone: 'Nowhere' },
]) {
  test(`PATCH ${JSON.stringify(change)} is 422`, async () => {
    assert.is((await app.patch(`/api/schools/${world.own.school.id}`, change, admin())).status, 422);
  });
}

test('a school without classes is removed', async () => {
  const { id } = (await create()).body;
  assert.is((await app.delete(`/api/schools/${id}`, admin())).status, 204);
  assert.is((await app.get(`/api/schools/${id}`, admin())).status, 404);
  assert.is((await app.delete(`/api/schools/${id}`, admin())).status, 404);
});

test('a school with classes, an archived one included, is 409', async () => {
  const { organizationId } = world.own;
  for (const archivedAt of [null, app.clock.now()]) {
    const { id: schoolId } = await buildSchool(owner, { organizationId });
    await buildClass(owner, { organizationId, schoolId, archivedAt });
    const { status, body } = await app.delete<Body>(`/api/schools/${schoolId}`, admin());
    assert.is(status, 409);
    assert.is(body.code, 'CONFLICT');
  }
});

test('concurrent removal of a school and creation of its first class leave no class without a school', async () => {
  const { organizationId } = world.own;
  for (let round = 0; round < 5; round += 1) {
    const { id: schoolId } = await buildSchool(owner, { organizationId });
    const [removed, added] = await Promise.all([
      app.delete(`/api/schools/${schoolId}`, admin()),
      app.post('/api/classes', { schoolId, name: '1A', grade: 1, academicYear: '2025-2026' }, admin()),
    ]);
    assert.ok([204, 409].includes(removed.status), `delete ${removed.status}`);
    assert.is(added.status, removed.status === 204 ? 404 : 201, JSON.stringify(added.body));
  }
});

test('lists contain the schools in reach: all for administrators and managers, own ones for the others', async () => {
  const { people, school } = world.own;
  const idsFor = async (token: string) => {
    const { body } = await app.get<{ items: { id: string }[] }>('/api/schools?limit=100', { token });
    return body.items.map(({ id }) => id);
  };
  assert.equal(await idsFor(people.PRINCIPAL.token), [school.id]);
  assert.equal(await idsFor(people.TEACHER.token), [school.id]);
  const all = await owner('school').where({ organizationId: world.own.organizationId }).orderBy('id');
  for (const persona of ['ADMIN', 'MANAGER'] as const) {
    assert.equal(
      await idsFor(people[persona].token),
      all.map(({ id }) => id),
    );
  }
});

test.run();
