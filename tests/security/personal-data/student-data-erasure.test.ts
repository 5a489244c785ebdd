// timeout: 180s
// Erasure and export for every persona: searches all tables and JSON columns of the database for marked values, races
// erasure with enrollment, and checks stored responses and the records of both operations.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { auditedOf } from '#core/module/audit-writer.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { auditedOfStudents } from '#identity/people/personal-data/sections.ts';
import { buildStudent, buildUser, signIn, type UserRow } from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, type Person, type Tenant } from '../../harness/world.ts';
import { codeOf, inParallel, noGeneralLimits, tally } from '../support.ts';

const app = useApp(test, { settings: noGeneralLimits, rules: true });
const { owner } = app.database;
let tenant: Tenant;

test.before.each(async () => {
  tenant = await buildTenant(app);
});

const asAdmin = () => ({ token: tenant.people.ADMIN.token });
const marks = {
  name: 'كناري الأخضر',
  email: 'canary.person@example.org',
  externalId: 'canary-ext',
  phone: '+966500000777',
};

/** Returns the names of all tables with the text in any column. */
async function tablesHolding(text: string): Promise<string[]> {
  const { rows } = await owner.raw("select tablename as name from pg_tables where schemaname = 'public' order by 1");
  const holding: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const { rows: hits } = await owner.raw('select 1 from ?? t where strpos(t::text, ?) > 0 limit 1', [name, text]);
    if (hits.length > 0) holding.push(name);
  }
  return holding;
}

/** Returns the decrypted texts of all stored responses. */
async function storedTexts(): Promise<string> {
  const rows = await owner('idempotent_answer').select('*');
  return rows
    .map(({ caller, operation, key, encryptedAnswer }) => {
      const text = app.services.cipher.decrypt(
        encryptedAnswer,
        JSON.stringify(['idempotent_answer', caller, operation, key]),
      );
      const { base64 } = JSON.parse(text);
      return base64 === undefined ? text : Buffer.from(base64, 'base64').toString();
    })
    .join('\n');
}

const keyed = () => ({ ...asAdmin(), headers: { 'idempotency-key': newId() } });

test('a marked name is found in app_user alone, and after erasure nowhere, stored responses included', async () => {
  const { classRow, organizationId } = tenant;
  const body = {
    ...{ primaryPersona: 'STUDENT', fullNameAr: marks.name, organizationId, classId: classRow.id },
    externalId: marks.externalId,
  };
  const child = await app.post<{ id: number }>('/api/users', body, keyed());
  const codes = await app.post(`/api/classes/${classRow.id}/quick-codes`, undefined, keyed());
  const sheet = { ...keyed().headers, accept: 'application/pdf' };
  await app.post(`/api/classes/${classRow.id}/quick-codes`, undefined, { ...asAdmin(), headers: sheet });
  assert.equal([child.status, codes.status], [201, 201]);
  const { status } = await app.patch(`/api/users/${child.body.id}`, { email: marks.email }, asAdmin());
  assert.is(status, 200);
  for (const mark of [marks.name, marks.email, marks.externalId]) {
    assert.equal(await tablesHolding(mark), mark === marks.email ? ['app_user', 'sign_in_name'] : ['app_user'], mark);
  }
  assert.match(await storedTexts(), marks.name);
  const kept = (await owner('idempotent_answer').select('key')).length;
  const erased = await app.post(`/api/students/${child.body.id}/erasure`, undefined, asAdmin());
  assert.is(erased.status, 200);
  for (const mark of [marks.name, marks.email, marks.externalId]) assert.equal(await tablesHolding(mark), [], mark);
  assert.not.match(await storedTexts(), marks.name);
  assert.is((await owner('idempotent_answer').select('key')).length, kept - 3);
});

test('stored responses about other people stay', async () => {
  const school = { organizationId: tenant.organizationId, name: 'School', country: 'SA' };
  const repeated = keyed();
  await app.post('/api/schools', school, repeated);
  await app.post(`/api/students/${tenant.people.STUDENT.id}/erasure`, undefined, asAdmin());
  assert.is((await app.post('/api/schools', school, repeated)).headers.get('idempotency-replayed'), 'true');
});

const staff = ['MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT'] as const;

test('every persona: no name, address, password or link is left, sessions end, a second erasure is a conflict', async () => {
  for (const persona of staff) {
    const { id, token } = tenant.people[persona];
    await owner('app_user')
      .where({ id })
      .update({ fullNameAr: marks.name, email: `${persona}.${marks.email}` });
    const reply = await app.post<{ erasedAt: string }>(`/api/users/${id}/erasure`, undefined, asAdmin());
    assert.equal([reply.status, reply.body], [200, { erasedAt: app.clock.now().toISOString() }], persona);
    assert.is(codeOf(await app.get('/api/auth/me', { token })), 'SESSION_REVOKED');
    const repeated = await app.post(`/api/users/${id}/erasure`, undefined, asAdmin());
    assert.equal([repeated.status, codeOf(repeated)], [409, 'CONFLICT']);
    assert.equal(await owner('class_teacher').where({ teacherUserId: id }), []);
    assert.equal(await owner('principal_school').where({ principalUserId: id }), []);
    assert.equal(await owner('parent_student').where({ parentUserId: id }), []);
    assert.is((await app.patch(`/api/users/${id}`, { fullNameAr: 'عائد' }, asAdmin())).status, 409);
    assert.is((await app.post(`/api/users/${id}/reactivate`, undefined, asAdmin())).status, 409);
  }
  for (const mark of [marks.name, marks.email]) assert.equal(await tablesHolding(mark), [], mark);
});

test('the last administrator of an organization cannot be erased, also when two erase each other at once', async () => {
  const { ADMIN } = tenant.people;
  const own = await app.post(`/api/users/${ADMIN.id}/erasure`, undefined, asAdmin());
  assert.equal([own.status, codeOf(own)], [409, 'CONFLICT']);
  for (let round = 0; round < 5; round++) {
    const one = await buildTenant(app);
    const second = await buildUser(owner, 'ADMIN', { organizationId: one.organizationId });
    const token = await signIn(app, second);
    const replies = await Promise.all([
      app.post(`/api/users/${second.id}/erasure`, undefined, { token: one.people.ADMIN.token }),
      app.post(`/api/users/${one.people.ADMIN.id}/erasure`, undefined, { token }),
    ]);
    assert.is(replies.filter(({ status }) => status === 200).length, 1, JSON.stringify(tally(replies)));
    const left = { organizationId: one.organizationId, primaryPersona: 'ADMIN', status: 'active' };
    assert.is((await owner('app_user').where(left)).length, 1);
  }
});

test('erase and enroll, link, change or give a code at once: both orders leave no data of the erased person', async () => {
  const { classElsewhere, classRow, people } = tenant;
  const outcomes = new Set<string>();
  for (let round = 0; round < 25; round++) {
    const { id } = await buildStudent(owner, classRow);
    const erasure = () => app.post(`/api/students/${id}/erasure`, undefined, asAdmin());
    const others = [
      () => app.post(`/api/classes/${classElsewhere.id}/enrollments`, { studentIds: [id] }, asAdmin()),
      () => app.post(`/api/students/${id}/parents`, { parentUserId: people['PARENT elsewhere'].id }, asAdmin()),
      () => app.post(`/api/students/${id}/quick-code`, undefined, asAdmin()),
      () => app.patch(`/api/users/${id}`, { fullNameAr: marks.name }, asAdmin()),
      () => app.post(`/api/users/${id}/reactivate`, undefined, asAdmin()),
    ];
    const all = round % 2 ? [erasure, ...others] : [...others, erasure];
    const replies = await Promise.all(all.map((send) => send()));
    for (const { status } of replies) outcomes.add(String(status));
    assert.equal(await owner('enrollment').where({ studentId: id }).whereNull('enrolledTo'), [], 'enrollment');
    assert.equal(await owner('parent_student').where({ studentId: id }), [], 'link');
    assert.equal(await owner('quick_code').where({ studentId: id }), [], 'code');
    const row = await owner('app_user').where({ id }).first('status', 'fullNameAr');
    assert.equal(row, { status: 'deleted', fullNameAr: null });
  }
  assert.equal(
    [...outcomes].filter((status) => status.startsWith('5')),
    [],
  );
});

test('one of several simultaneous erasures succeeds', async () => {
  const { id } = tenant.people.STUDENT;
  const replies = await inParallel(6, () => app.post(`/api/students/${id}/erasure`, undefined, asAdmin()));
  assert.is(replies.filter(({ status }) => status === 200).length, 1, JSON.stringify(tally(replies)));
});

interface Archive {
  readonly sections: Record<string, Record<string, Record<string, unknown>[]>>;
}

const exported = (id: number) => app.get<Archive>(`/api/students/${id}/data-export`, asAdmin());

/** Returns the jsonb columns of tables that the archive does not contain as a whole. */
async function looseColumns(): Promise<{ name: string; field: string }[]> {
  const whole = app.services.personalData.flatMap(({ tables }) =>
    tables.filter((source) => !('othersToo' in source)).map(({ table }) => table),
  );
  const { rows } = await owner.raw(`select table_name as name, column_name as field from information_schema.columns
    where table_schema = 'public' and data_type in ('json', 'jsonb')
      and table_name not in (select relname from pg_class where relispartition or relkind = 'v') order by 1, 2`);
  return rows.filter(({ name }: { name: string }) => !whole.includes(name as never));
}

test('the archive searches every JSON column for the student, and marked values are found', async () => {
  const { people } = tenant;
  const { id } = people.STUDENT;
  const other = people['STUDENT elsewhere'].id;
  const columns = await looseColumns();
  assert.ok(columns.length >= 5, 'columns are found');
  const nested = JSON.stringify({
    parts: [
      {
        exemplars: [
          { studentId: id, mark: 'own' },
          { studentId: other, mark: 'foreign' },
        ],
      },
    ],
  });
  await owner
    .transaction(async (trx) => {
      await trx.raw("set local session_replication_role = 'replica'");
      for (const { name } of columns) {
        await trx.raw(await withoutChecks(trx, name));
        const { rows } = await trx.raw('select 1 from ?? limit 1', [name]);
        if (rows.length === 0) await trx.raw(await emptyRow(trx, name));
      }
      for (const { name, field } of columns)
        await trx.raw('update ?? set ?? = ?::jsonb where ctid = (select min(ctid) from ??)', [
          name,
          field,
          nested,
          name,
        ]);
      await trx.raw('savepoint before');
      const { mentionsOf } = await import('#identity/people/personal-data/mentions.ts');
      const covered = new Set<string>();
      const found = await mentionsOf(trx, [id], covered);
      for (const { name } of columns) assert.ok(JSON.stringify(found[name] ?? []).includes('own'), name);
      assert.not.ok(JSON.stringify(found).includes('foreign'));
      await trx.raw('rollback to savepoint before');
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
});

class Undone extends Error {}

/** The check constraints of the row do not matter here. Everything is rolled back. */
async function withoutChecks(trx: Trx, table: string): Promise<string> {
  const { rows } = await trx.raw(
    "select conname as name from pg_constraint where contype = 'c' and conrelid = ?::regclass",
    [table],
  );
  return (
    rows.map(({ name }: { name: string }) => `alter table ${table} drop constraint if exists ${name};`).join('\n') ||
    'select 1'
  );
}

/** Inserts a row with a placeholder in every required column. */
async function emptyRow(trx: Trx, table: string): Promise<string> {
  const { rows } = await trx.raw(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ? and is_nullable = 'NO' and is_identity = 'NO'
        and is_generated = 'NEVER' and column_default is null`,
    [table],
  );
  const standIn = (type: string) => {
    if (type === 'jsonb') return "'{}'";
    if (type.startsWith('timestamp') || type === 'date') return "'2026-01-01'";
    if (type === 'boolean') return 'false';
    return type === 'ARRAY' ? "'{}'" : type === 'text' ? "'x'" : '1';
  };
  const named = rows as { name: string; type: string }[];
  return `insert into ${table} (${named.map(({ name }) => `"${name}"`).join()}) values (${named.map(({ type }) => standIn(type)).join()})`;
}

test('the archive has the audit entries about the student', async () => {
  const { id } = tenant.people.STUDENT;
  await app.post(`/api/students/${id}/quick-code`, undefined, asAdmin());
  await exported(id);
  await app.services.securityEvents.settled();
  const { body } = await exported(id);
  const entities = (body.sections.identity?.audit_entry ?? []).map(({ entity }) => entity);
  assert.equal([...entities].sort(), ['data_export', 'quick_code']);
  const byPerson = Object.entries(auditedOf(capabilities)).filter(
    ([table, audited]) => table === 'app_user' || ['student_id', 'user_id'].includes(audited.id),
  );
  assert.equal(byPerson.map(([table]) => table).sort(), [...auditedOfStudents].sort());
});

async function traces(kind: string) {
  await app.services.securityEvents.settled();
  const rows = await owner('security_event').where({ kind }).orderBy('id', 'desc').limit(1);
  const [{ userId, organizationId, details, addressHash } = {} as never] = rows;
  return { userId, organizationId, details, known: typeof addressHash === 'string' };
}

test('export and erasures leave an audit entry and a security event', async () => {
  const { ADMIN, STUDENT, TEACHER } = tenant.people;
  const { organizationId } = tenant;
  const entry = async (operation: string) => (await owner('audit_entry').where({ operation, organizationId })).length;
  await exported(STUDENT.id);
  await app.services.securityEvents.settled();
  const who = { userId: ADMIN.id, organizationId, known: true };
  assert.equal(await traces('data_export'), { ...who, details: { studentId: STUDENT.id } });
  assert.ok((await entry('exportStudentData')) > 0);
  await app.post(`/api/students/${STUDENT.id}/erasure`, undefined, asAdmin());
  assert.equal(await traces('erasure'), { ...who, details: { studentId: STUDENT.id } });
  assert.ok((await entry('eraseStudent')) > 0);
  await app.post(`/api/users/${TEACHER.id}/erasure`, undefined, asAdmin());
  assert.equal(await traces('erasure'), { ...who, details: { subjectId: TEACHER.id } });
  assert.ok((await entry('eraseUser')) > 0);
});

test('leads are found by address or number in any notation, by the backoffice only', async () => {
  const superAdmin: UserRow = await buildUser(owner, 'ADMIN', { organizationId: null, scope: 'SUPER' });
  const token = await signIn(app, superAdmin);
  const at = app.clock.now();
  const lead = (contact: object) =>
    owner('teaser_lead').insert({ sessionId: newId(), ...contact, createdAt: at, updatedAt: at });
  await lead({ email: marks.email });
  await lead({ email: marks.email, whatsapp: marks.phone });
  await lead({ whatsapp: marks.phone });
  await lead({ email: 'other@example.org' });
  const erase = (body: object, caller: Pick<Person, 'token'> = { token }) =>
    app.post<{ erased: number }>('/api/admin/teaser-leads/erasure', body, { token: caller.token });
  assert.is((await erase({ email: marks.email }, tenant.people.ADMIN)).status, 403);
  assert.is((await erase({})).status, 422);
  assert.equal((await erase({ email: ` ${marks.email.toUpperCase()} ` })).body, { erased: 2 });
  assert.equal((await erase({ whatsapp: marks.phone })).body, { erased: 1 });
  for (const mark of [marks.email, marks.phone]) assert.equal(await tablesHolding(mark), [], mark);
  assert.is((await owner('teaser_lead').select('*')).length, 1);
  assert.is((await owner('audit_entry').where({ operation: 'eraseTeaserLeads', entity: 'teaser_lead' })).length, 3);
  assert.equal(await traces('erasure'), {
    userId: superAdmin.id,
    organizationId: null,
    details: { leads: 1 },
    known: true,
  });
});

test.run();
