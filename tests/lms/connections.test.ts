// Connections are told and ended by the organization whose they are; courses stand beside the classes that they are.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildClass } from '../support/factories.ts';
import { useApp } from '../support/http.ts';
import { buildTenant, type Tenant } from '../support/world.ts';
import { buildConnection } from './rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
let tenant: Tenant;
let stranger: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
  stranger = await buildTenant(app);
});

interface Courses {
  readonly items: readonly {
    courseExternalId: string;
    mappedClassId: number | null;
    suggestedClassId: number | null;
  }[];
}

const connect = () => buildConnection(owner, tenant);
const token = () => ({ token: tenant.people.ADMIN.token });
const courses = () => app.get<Courses>('/api/lms/oneroster/courses', token());
const map = (mappings: unknown, provider = 'oneroster') =>
  app.post(`/api/lms/${provider}/mappings`, { mappings }, token());

test('a connection is listed without anything that opens it, and only to its organization', async () => {
  const { id } = await connect();
  const { body } = await app.get<{ items: object[] }>('/api/lms/connections', token());
  assert.equal(body.items[0], { id, provider: 'oneroster', connectionStatus: 'active', lastSyncAt: null });
  const others = await app.get<{ items: object[] }>('/api/lms/connections', { token: stranger.people.ADMIN.token });
  assert.equal(others.body.items, []);
});

test('a disconnected one is listed as such, its files are gone, and a second word is the same', async () => {
  const { id } = await connect();
  for (const _ of [1, 2]) assert.is((await app.delete(`/api/lms/connections/${id}`, token())).status, 204);
  assert.is(await owner('lms_source_row').where({ connectionId: id }).first(), undefined);
  assert.is((await owner('lms_connection').where({ id }).first()).status, 'disconnected');
  assert.is((await courses()).status, 404);
});

test('a class of the same grade and name is suggested, when it is the only one', async () => {
  await connect();
  const { organizationId, school } = tenant;
  const made = await buildClass(owner, { organizationId, schoolId: school.id, grade: 3, name: ' فصل ' });
  assert.is((await courses()).body.items[0]?.suggestedClassId, made.id);
  await buildClass(owner, { organizationId, schoolId: school.id, grade: 3, name: 'فصل' });
  assert.is((await courses()).body.items[0]?.suggestedClassId, null);
});

test('mappings are saved all or none, and null takes a course off its class', async () => {
  await connect();
  const classId = tenant.classRow.id;
  const both = await map([
    { courseExternalId: 'class-1', classId },
    { courseExternalId: 'elsewhere', classId },
  ]);
  assert.is(both.status, 422);
  assert.equal((both.body as { details: object[] }).details, [
    { field: 'mappings.1.courseExternalId', issue: 'unknown_course' },
  ]);
  assert.is((await courses()).body.items[0]?.mappedClassId, null);
  const saved = await map([{ courseExternalId: 'class-1', classId }]);
  assert.equal(saved.body, { mappings: [{ courseExternalId: 'class-1', classId }] });
  assert.is((await courses()).body.items[0]?.mappedClassId, classId);
  assert.is((await map([{ courseExternalId: 'class-1', classId: stranger.classRow.id }])).status, 404);
  await owner('class').where({ id: classId }).update({ archivedAt: '2026-09-01T00:00:00Z' });
  assert.is((await map([{ courseExternalId: 'class-1', classId }])).status, 409);
  await owner('class').where({ id: classId }).update({ archivedAt: null });
  assert.equal((await map([{ courseExternalId: 'class-1', classId: null }])).body, { mappings: [] });
});

test('courses: an unknown provider and a word beside bypass are refused; a provider without connection is absent', async () => {
  assert.is((await app.get('/api/lms/moodle/courses', token())).status, 404);
  assert.is((await app.get('/api/lms/oneroster/courses?cache=off', token())).status, 422);
  assert.is((await app.get('/api/lms/google_classroom/courses', token())).status, 404);
});

test.run();
