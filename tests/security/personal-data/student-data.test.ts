// All data about a student can be exported, and the person can be erased.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { codeOf, noGeneralLimits } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits });
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

const path = (what: string) => `/api/students/${tenant.people.STUDENT.id}/${what}`;
const asAdmin = () => ({ token: tenant.people.ADMIN.token });

interface Archive {
  readonly studentId: number;
  readonly sections: Record<string, Record<string, Record<string, unknown>[]>>;
}

/** Returns the tables about students: with a column of their own, or through a table that has one. */
async function tablesAboutStudents(): Promise<string[]> {
  const { rows } = await owner.raw(`
    with recursive about(oid) as (
      select attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'student_id'
          and not c.relispartition
      union
      select k.conrelid from pg_constraint k join about on about.oid = k.confrelid where k.contype = 'f'
        and not (select c.relispartition from pg_class c where c.oid = k.conrelid)
    ) select oid::regclass::text as name from about order by 1`);
  return rows.map(({ name }: { name: string }) => name);
}

test('no table about students is left out of the archive', async () => {
  const named = app.services.personalData.flatMap(({ tables }) => tables.map(({ table }) => table));
  const missing = (await tablesAboutStudents()).filter((table) => !named.includes(table));
  assert.equal(missing, []);
});

test('every section of the archive has the student’s rows, and no others', async () => {
  await app.post(path('quick-code'), undefined, asAdmin());
  const { status, body } = await app.get<Archive>(path('data-export'), asAdmin());
  assert.equal([status, body.studentId], [200, tenant.people.STUDENT.id]);
  const names = app.services.personalData.map(({ name }) => name);
  assert.equal(Object.keys(body.sections), [...names, 'mentions']);
  for (const name of ['identity', 'diagnostics', 'skillStatus']) assert.ok(names.includes(name), name);
  const { identity = {} } = body.sections;
  assert.equal(
    identity.app_user?.map(({ id }) => id),
    [tenant.people.STUDENT.id],
  );
  assert.is(identity.parent_student?.length, 1);
  assert.is(identity.enrollment?.length, 1);
  assert.is(identity.quick_code?.length, 1);
});

test('the archive has no hashes of secrets', async () => {
  await app.post(path('quick-code'), undefined, asAdmin());
  const { body } = await app.get(path('data-export'), asAdmin());
  assert.not.match(JSON.stringify(body), /[hH]ash/);
});

test('erasure: name, e-mail, external id, codes, links and sessions are gone; the id stays', async () => {
  const { id, token } = tenant.people.STUDENT;
  const change = { email: 'child@example.org', externalId: 'ext-1', fullNameAr: 'طفلة' };
  await owner('app_user').where({ id }).update(change);
  const issued = await app.post<{ quickCode: string }>(path('quick-code'), undefined, asAdmin());
  const reply = await app.post<{ erasedAt: string }>(path('erasure'), undefined, asAdmin());
  assert.equal([reply.status, reply.body.erasedAt], [200, app.clock.now().toISOString()]);
  const row = await owner('app_user').where({ id }).first();
  assert.equal([row.status, row.email, row.externalId, row.fullNameAr], ['deleted', null, null, null]);
  for (const table of ['quick_code', 'parent_student']) {
    assert.equal(await owner(table).where({ studentId: id }), [], table);
  }
  assert.is(codeOf(await app.get('/api/auth/me', { token })), 'SESSION_REVOKED');
  const { quickCode } = issued.body;
  assert.is(codeOf(await app.post('/api/auth/quickcode', { quickCode })), 'QUICKCODE_INVALID_OR_EXPIRED');
  assert.equal(await owner('enrollment').where({ studentId: id }).whereNull('enrolledTo'), []);
});

test('after erasure, export, code and a second erasure are 404', async () => {
  await app.post(path('erasure'), undefined, asAdmin());
  assert.is((await app.get(path('data-export'), asAdmin())).status, 404);
  for (const what of ['erasure', 'quick-code'])
    assert.is((await app.post(path(what), undefined, asAdmin())).status, 404);
});

test('ledgers survive erasure', async () => {
  const { organizationId, people } = tenant;
  const studentId = people.STUDENT.id;
  const request = { organizationId, studentId, requestedSeq: 1, processedSeq: 1, trigger: 'admin' };
  await owner('sse_recompute_request').insert({ ...request, requestedAt: app.clock.now() });
  await app.post(path('erasure'), undefined, asAdmin());
  assert.is((await owner('sse_recompute_request').where({ studentId })).length, 1);
  assert.is((await owner('enrollment').where({ studentId })).length, 1);
});

test('only administrators of the own organization may export and erase', async () => {
  const other = await buildTenant(app);
  for (const { token } of [tenant.people.TEACHER, tenant.people.PRINCIPAL, tenant.people.PARENT]) {
    assert.is((await app.get(path('data-export'), { token })).status, 403);
    assert.is((await app.post(path('erasure'), undefined, { token })).status, 403);
  }
  const { token } = other.people.ADMIN;
  assert.is((await app.get(path('data-export'), { token })).status, 404);
  assert.is((await app.post(path('erasure'), undefined, { token })).status, 404);
});

test.run();
