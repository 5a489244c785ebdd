// Connections are reported and ended by the organization whose they are; courses stand beside the classes that they are.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { buildClass } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
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

test('one that waits for its provider is deleted until its ten minutes are over, and is absent then', async () => {
  const { organizationId, people } = await buildTenant(app);
  for (const [ms, status] of [
    [0, 404],
    [1, 204],
  ] as const) {
    const id = newId();
    const expiresAt = new Date(app.clock.now().getTime() + ms);
    const waiting = { organizationId, id, provider: 'google_classroom', kind: 'oauth', status: 'pending', expiresAt };
    await owner('lms_connection').insert({ ...waiting, connectedBy: people.ADMIN.id, createdAt: app.clock.now() });
    const answer = await app.delete(`/api/lms/connections/${id}`, { token: people.ADMIN.token });
    assert.is(answer.status, status);
    if (status === 404) await owner('lms_connection').where({ id }).delete();
  }
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

test('connections and runs are paged newest first, each once, those of others never', async () => {
  const [own, other] = [await buildTenant(app), await buildTenant(app)];
  const made: string[] = [];
  for (const { organizationId, people } of [own, other, own, own]) {
    app.clock.advance(1_000);
    const [createdAt, id] = [app.clock.now(), newId()];
    const connection = { organizationId, id, provider: 'oneroster', kind: 'csv', status: 'disconnected', createdAt };
    await owner('lms_connection').insert({ ...connection, connectedBy: people.ADMIN.id, endedAt: createdAt });
    const run = { organizationId, id, connectionId: id, provider: 'oneroster', trigger: 'manual', state: 'error' };
    const ended = { startedAt: createdAt, endedAt: createdAt, errorCode: 'internal' };
    await owner('lms_sync_run').insert({ ...run, ...ended, createdAt });
    if (organizationId === own.organizationId) made.unshift(id);
  }
  for (const [path, name] of [
    ['/api/lms/connections', 'id'],
    ['/api/lms/sync-runs', 'syncRunId'],
  ] as const) {
    const page = async (query: string) => {
      const { status, body } = await app.get<{ items: Record<string, string>[]; nextCursor: string | null }>(
        `${path}?limit=2${query}`,
        { token: own.people.ADMIN.token },
      );
      assert.is(status, 200, JSON.stringify(body));
      return { ids: body.items.map((item) => item[name]), next: body.nextCursor };
    };
    const first = await page('');
    const second = await page(`&cursor=${encodeURIComponent(first.next ?? '')}`);
    assert.equal([first.ids, second.ids, second.next], [made.slice(0, 2), made.slice(2), null], path);
  }
});

test.run();
