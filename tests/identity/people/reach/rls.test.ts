// Row-level security: the rows that the run-time role may see and write, without any check of the application.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { proofOf } from '#core/platform/connections/proof.ts';
import { inContext, type TenantContext, type Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { buildUser, openSessionOf } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildWorld, type World } from '../../../harness/world.ts';

const app = useApp(test, { ownStatements: true });
const { owner, app: runtime } = app.database;
let world: World;
let tenantTables: string[];

/** Tables that are read by a secret or a name before the organization is known: their keys do not begin with it. */
const lookUps: readonly string[] = [
  'external_identity',
  'handoff_code',
  'password_recovery',
  'refresh_token',
  'sign_in_name',
];

test.before(async () => {
  world = await buildWorld(app);
  const { rows } = await owner.raw(`
    select c.relname as table_name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  tenantTables = rows.map((row: { tableName?: string; table_name?: string }) => row.tableName ?? row.table_name);
  for (const { organizationId } of [world.own, world.other]) {
    await owner('outbox').insert({ organizationId, topic: 'test', payload: '{}', createdAt: new Date() });
  }
});

const as = <T>(context: TenantContext, work: (trx: Trx) => Promise<T>) => inContext(runtime, context, work);
const ownContext = () => ({ organizationId: world.own.organizationId });

async function organizationsIn(trx: Trx, table: string, column = 'organization_id'): Promise<(string | null)[]> {
  const { rows } = await trx.raw(`select distinct ${column} as seen from ${table} order by 1`);
  return rows.map(({ seen }: { seen: string | null }) => seen);
}

/** Runs a statement in its own transaction and returns PostgreSQL's error code. */
async function refusal(context: TenantContext | undefined, work: (trx: Trx) => Promise<unknown>): Promise<string> {
  try {
    await (context ? as(context, work) : runtime.transaction(work));
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'not refused';
}

const rlsViolation = '42501';
const foreignKeyViolation = '23503';

test('these tests run as the run-time role', async () => {
  const { rows } = await runtime.raw(
    'select current_user as role, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
  );
  assert.equal({ ...rows[0] }, { role: 'literacy_app', rolsuper: false, rolbypassrls: false });
});

test('the tests cover the tenant tables of people and classes', () => {
  const expected = ['app_user', 'auth_session', 'class', 'class_teacher', 'enrollment', 'parent_student', 'school'];
  for (const table of expected) assert.ok(tenantTables.includes(table), table);
});

test('in the context of one organization no table shows a row of another', async () => {
  await as(ownContext(), async (trx) => {
    for (const table of tenantTables) {
      const seen = await organizationsIn(trx, table);
      assert.ok(
        seen.every((id) => id === world.own.organizationId),
        `${table}: ${seen}`,
      );
    }
    assert.equal(await organizationsIn(trx, 'organization', 'id'), [world.own.organizationId]);
  });
});

test('the rows are there: SUPER sees both organizations in every table that the world fills', async () => {
  const filled = ['app_user', 'auth_session', 'class', 'class_teacher', 'enrollment', 'outbox', 'parent_student'];
  await as('SUPER', async (trx) => {
    for (const table of [...filled, 'principal_school', 'refresh_token', 'school']) {
      const seen = await organizationsIn(trx, table);
      for (const { organizationId } of [world.own, world.other]) assert.ok(seen.includes(organizationId), table);
    }
  });
});

test('without a context no table shows a row', async () => {
  await runtime.transaction(async (trx) => {
    for (const table of tenantTables) assert.equal(await organizationsIn(trx, table), [], table);
    assert.equal(await organizationsIn(trx, 'organization', 'id'), []);
  });
});

test('a context ends with its transaction, on the same connection too', async () => {
  const connection = await runtime.client.acquireConnection();
  try {
    await inContextOn(connection);
    const { rows } = await runtime.raw('select count(*)::int as seen from school').connection(connection);
    assert.is(rows[0].seen, 0);
  } finally {
    await runtime.client.releaseConnection(connection);
  }
});

async function inContextOn(connection: unknown): Promise<void> {
  const run = (sql: string, bindings: string[] = []) => runtime.raw(sql, bindings).connection(connection);
  await run('begin');
  const { organizationId } = world.own;
  const settings = [organizationId, proofOf(runtime, organizationId)];
  await run("select set_config('app.organization_id', ?, true), set_config('app.proof', ?, true)", settings);
  const { rows } = await run('select count(*)::int as seen from school');
  assert.ok(rows[0].seen > 0);
  await run('commit');
}

const promiseOf = (organizationId: string) => ({ organizationId, topic: 'test', payload: '{}', createdAt: new Date() });

test('without a context nothing is written, changed or removed', async () => {
  const { organizationId } = world.own;
  assert.is(await refusal(undefined, (trx) => trx('outbox').insert(promiseOf(organizationId))), rlsViolation);
  await runtime.transaction(async (trx) => {
    assert.is(await trx('school').update({ name: 'changed' }), 0);
    assert.is(await trx('parent_student').delete(), 0);
  });
});

test('in the context of one organization a row of another is refused', async () => {
  const { organizationId } = world.other;
  assert.is(await refusal(ownContext(), (trx) => trx('outbox').insert(promiseOf(organizationId))), rlsViolation);
  const user = {
    organizationId,
    scope: 'ORGANIZATION',
    primaryPersona: 'ADMIN',
    email: 'x@y.zz',
    createdAt: new Date(),
  };
  assert.is(await refusal(ownContext(), (trx) => trx('app_user').insert(user)), rlsViolation);
  const superUser = { ...user, organizationId: platformOrganizationId, scope: 'SUPER' };
  assert.is(await refusal(ownContext(), (trx) => trx('app_user').insert(superUser)), rlsViolation);
});

test('a row cannot be moved to another organization', async () => {
  const { organizationId } = world.other;
  const move = (trx: Trx) => trx('class').where({ id: world.own.classRow.id }).update({ organizationId });
  assert.is(await refusal(ownContext(), move), rlsViolation);
});

test('rows of another organization are neither changed nor removed', async () => {
  await as(ownContext(), async (trx) => {
    assert.is(await trx('organization').where({ id: world.other.organizationId }).update({ name: 'changed' }), 0);
    assert.is(await trx('school').where({ id: world.other.school.id }).update({ name: 'changed' }), 0);
    assert.is(await trx('enrollment').where({ classId: world.other.classRow.id }).delete(), 0);
  });
});

test('foreign keys do not reach across organizations, whatever the context', async () => {
  const { organizationId, classRow, people, school } = world.own;
  const { people: strangers, classRow: strange, school: strangeSchool } = world.other;
  const student = await buildUser(owner, 'STUDENT', { organizationId });
  const rows: readonly [string, object][] = [
    ['class', { schoolId: strangeSchool.id, name: 'x', grade: 1, academicYear: '2025-2026', createdAt: new Date() }],
    ['class_teacher', { classId: classRow.id, teacherUserId: strangers.TEACHER.id, role: 'SECONDARY' }],
    ['class_teacher', { classId: strange.id, teacherUserId: people.TEACHER.id, role: 'SECONDARY' }],
    ['principal_school', { principalUserId: strangers.PRINCIPAL.id, schoolId: school.id }],
    ['principal_school', { principalUserId: people.PRINCIPAL.id, schoolId: strangeSchool.id }],
    ['enrollment', { studentId: student.id, classId: strange.id, enrolledFrom: '2026-01-01' }],
    ['enrollment', { studentId: strangers.STUDENT.id, classId: classRow.id, enrolledFrom: '2026-01-01' }],
    ['parent_student', { childId: 'x', parentUserId: strangers.PARENT.id, studentId: people.STUDENT.id }],
    ['parent_student', { childId: 'x', parentUserId: people.PARENT.id, studentId: strangers.STUDENT.id }],
    ['auth_session', { id: 'x', userId: strangers.ADMIN.id, createdAt: new Date(), expiresAt: new Date() }],
  ];
  for (const [table, row] of rows) {
    for (const context of [ownContext(), 'SUPER'] as const) {
      const code = await refusal(context, (trx) => trx(table).insert({ organizationId, ...row }));
      assert.is(code, foreignKeyViolation, `${table} ${JSON.stringify(row)}`);
    }
  }
});

test('a refresh token cannot reference a session of another organization', async () => {
  await openSessionOf(app, world.other.people.ADMIN);
  const { id: sessionId } = await owner('auth_session').where({ userId: world.other.people.ADMIN.id }).first('id');
  const token = {
    tokenHash: 'x',
    organizationId: world.own.organizationId,
    sessionId,
    issuedAt: new Date(),
    expiresAt: new Date(),
    usedAt: new Date(),
  };
  for (const context of [ownContext(), 'SUPER'] as const) {
    assert.is(await refusal(context, (trx) => trx('refresh_token').insert(token)), foreignKeyViolation);
  }
});

test('a forged setting gives no access: only the setting of the organization counts', async () => {
  for (const [name, value] of [
    ['app.scope', 'SUPER'],
    ['app.organization_id', ''],
    ['app.organization_id', '%'],
    ['app.organization_id', platformOrganizationId],
    ['row_security', 'on'],
  ] as const) {
    await runtime.transaction(async (trx) => {
      await trx.raw('select set_config(?, ?, true)', [name, value]);
      for (const table of tenantTables) {
        const strangers = (await organizationsIn(trx, table)).filter((id) => id !== platformOrganizationId);
        assert.equal(strangers, [], `${name}=${value}: ${table}`);
      }
      assert.equal(await organizationsIn(trx, 'organization', 'id'), [], `${name}=${value}`);
    });
  }
});

test('the platform’s row of `organization` can be neither read nor changed at run time', async () => {
  for (const context of ['SUPER', { organizationId: platformOrganizationId }] as const) {
    await as(context, async (trx) => {
      assert.not((await organizationsIn(trx, 'organization', 'id')).includes(platformOrganizationId));
      assert.is(await trx('organization').where({ id: platformOrganizationId }).update({ name: 'changed' }), 0);
    });
  }
});

test('the policy of one organization is an indexable condition in every table', async () => {
  await as(ownContext(), async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    for (const table of tenantTables.filter((name) => !lookUps.includes(name))) {
      const { rows } = await trx.raw(`explain select * from ${table}`);
      const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      // The notation of PostgreSQL 17 and later for a value that is computed once, and that of earlier versions.
      assert.match(plan, /Index Cond: \(organization_id = (\(InitPlan 1\)\.col1|\$0)\)/, `${table}\n${plan}`);
    }
  });
});

test('the run-time role cannot bypass row-level security', async () => {
  const attempts = [
    'alter table school disable row level security',
    'drop policy tenant on school',
    'create policy mine on school using (true)',
    'alter role literacy_app bypassrls',
    'truncate school cascade',
    'set role postgres',
    'delete from app_user',
    'delete from organization',
  ];
  for (const sql of attempts) assert.is(await refusal(ownContext(), (trx) => trx.raw(sql)), '42501', sql);
});

test.run();
