// timeout: 300s
// What an injected statement can reach inside the transaction of a teacher's request: only the organization of the
// transaction, whatever it sets, becomes or names. The test runs on a server of its own, because roles belong to the
// whole server.
import fs from 'node:fs';
import path from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { proofOf } from '#core/platform/connections/proof.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { connect } from '../harness/database.ts';
import { buildClass, buildParent, buildStudent, buildSuperAdmin, buildTeacher } from '../harness/factories.ts';
import { type Program, ready, useDataDir, usePrograms } from './program.ts';

const test = suite('confined login');
const run = usePrograms(test);
const dataDir = useDataDir(test);

let service: Program;
let owner: Db;
let app: Db;
let appUrl = '';
let [own, other] = ['', ''];
let superId = 0;
let tables: string[] = [];

const secret = (name: string) => fs.readFileSync(path.join(dataDir, name), 'utf8').trim();

test.before(async () => {
  service = run('src/main.ts', { DATA_DIR: dataDir, PORT: '0', SEED_DEMO: 'false', WORKERS: 'none' });
  await service.until(ready);
  const port = fs.readFileSync(path.join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[3];
  const url = (login: string, password: string) => `postgres://${login}:${password}@127.0.0.1:${port}/postgres`;
  owner = connect(url('postgres', secret('pg.password')), { poolSize: 1, asOwner: true });
  appUrl = url('literacy_app', secret('pg.app-password'));
  app = connect(appUrl, { poolSize: 3 });
  [own, other] = [await someSchool(), await someSchool()];
  superId = (await buildSuperAdmin(owner)).id;
  const { rows } = await owner.raw(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and has_table_privilege('literacy_app', c.oid, 'select') order by 1`);
  tables = rows.map(({ name }: { name: string }) => name);
});

test.after(async () => {
  await app.destroy();
  await owner.destroy();
  await service.stop();
});

async function someSchool(): Promise<string> {
  const classRow = await buildClass(owner);
  await buildTeacher(owner, classRow);
  await buildParent(owner, await buildStudent(owner, classRow));
  return classRow.organizationId;
}

const asTeachers = <T>(work: (trx: Trx) => Promise<T>) => inContext(app, { organizationId: own }, work);

/** Counts the foreign rows of every tenant table in one statement. */
const foreignRows = () =>
  tables
    .map((name) => `select '${name}' as name where exists (select from ${name} where organization_id <> '${own}')`)
    .join(' union all ');

const sessionOfSuper = () => `insert into auth_session (id, organization_id, user_id, created_at, expires_at)
  values ('forged', '${platformOrganizationId}', ${superId}, now(), now() + interval '1 hour')`;

/** Null: refused. The statements after it are sent all the same. */
async function attempt(trx: Trx, sql: string): Promise<{ rows: object[] } | null> {
  await trx.raw('savepoint attempt');
  try {
    return await trx.raw(sql.replaceAll('?', '\\?'));
  } catch {
    await trx.raw('rollback to savepoint attempt');
    return null;
  }
}

const set = (name: string, value: string, local = true) => `select set_config('${name}', '${value}', ${local})`;

/** The steps of each attack. Each step is accepted or refused. */
const attacks = (): string[][] => [
  ...['literacy_platform', 'literacy_app_platform', 'postgres', 'none'].flatMap((role) => [
    [`set role ${role}`],
    [`set local role ${role}`],
    [set('role', role)],
    [set('role', role, false)],
    [`do $$ begin execute 'set role ${role}'; end $$`],
    [`set session authorization ${role}`],
    [set('session_authorization', role, false)],
  ]),
  ['reset role'],
  ['reset session authorization'],
  ['reset all'],
  ['reset role', 'set role literacy_platform'],
  ['reset role', 'set role literacy_app', 'set role literacy_platform'],
  ['discard all'],
  ['set row_security = off'],
  [set('is_superuser', 'on')],
  [set('session_replication_role', 'replica')],
  ...[other, platformOrganizationId, '', '%', `${own}' or '1'='1`].map((named) => [
    set('app.organization_id', named.replaceAll("'", "''")),
  ]),
  [set('app.organization_id', other), set('app.proof', '')],
  [set('app.organization_id', platformOrganizationId), set('app.proof', '')],
  [set('app.organization_id', other, false), 'reset role'],
  [`do $$ begin perform set_config('app.organization_id', '${other}', true); end $$`],
  [set('app.proof', '')],
  ['select key from context_key'],
  ['select * from context_key', 'copy context_key to stdout'],
  ['table context_key'],
  [`prepare taken as ${set('app.organization_id', other)}`, 'execute taken'],
  [`create function widen() returns text language sql as 'select ''${other}'''`],
  [`create or replace function tenant_in_sight() returns text language sql as 'select ''${other}'''`],
  [`create function pg_temp.tenant_in_sight() returns text language sql as 'select ''${other}'''`],
  ['alter function tenant_in_sight() security invoker'],
  ['alter table app_user disable row level security'],
  ['drop policy tenant on app_user'],
  ['create policy mine on app_user using (true)'],
  [`grant literacy_platform to literacy_app`],
  [`alter role literacy_app bypassrls`],
  [`select make_ledger_part('audit_entry', '2026-2027')`],
  [`select pg_read_file('global/pg_authid')`],
  [`select lo_import('/etc/passwd')`],
  [`copy (select 1) to program 'true'`],
  ['create extension dblink'],
  [`set search_path = pg_temp, public`],
  [`with named as materialized (${set('app.organization_id', other)}) select * from named, app_user`],
];

test('the rows are there, and the platform’s login sees them', async () => {
  const seen = await inContext(app, 'SUPER', (trx) => trx.raw(foreignRows()));
  const names = seen.rows.map(({ name }: { name: string }) => name);
  for (const name of ['app_user', 'class', 'enrollment', 'parent_student', 'school', 'sign_in_name'])
    assert.ok(names.includes(name), name);
  assert.ok(tables.length > 100, `${tables.length} tables`);
});

/** Runs one attack on a new connection and asserts what the next transaction on it sees. */
async function withstood(steps: readonly string[]): Promise<void> {
  const what = steps.join('; ');
  const db = connect(appUrl, { poolSize: 1 });
  const looksAround = async (trx: Trx) => assert.equal((await attempt(trx, foreignRows()))?.rows ?? [], [], what);
  try {
    await inContext(db, { organizationId: own }, async (trx) => {
      for (const step of steps) {
        const { rows = [] } = (await attempt(trx, step)) ?? {};
        const others = rows.filter((row) =>
          Object.entries(row).some(([key, value]) => key !== 'set_config' && value === other),
        );
        assert.equal(others, [], what);
      }
      await looksAround(trx);
      assert.is(await attempt(trx, sessionOfSuper()), null, what);
    });
    await inContext(db, { organizationId: own }, looksAround);
  } finally {
    await db.destroy();
  }
}

test('whatever a statement sets, becomes or creates: no row of others, and no session of the platform’s', async () => {
  for (const steps of attacks()) await withstood(steps);
  assert.equal(await owner('auth_session').where({ id: 'forged' }), []);
});

test('a teacher’s transaction may become only roles of its own organization', async () => {
  const { rows } = await asTeachers((trx) =>
    trx.raw(`select r.rolname as name from pg_roles r where pg_has_role(session_user, r.oid, 'member') order by 1`),
  );
  assert.equal(rows, [{ name: 'literacy_app' }]);
});

test('functions that run as the owner reveal only that an address is taken elsewhere', async () => {
  const { email } = await owner('sign_in_name').where({ organizationId: other }).first('email');
  const { rows } = await asTeachers((trx) =>
    trx.raw(
      `select address_is_elsewhere(:email, :own) as address, address_is_elsewhere('nobody@example.org', :own) as nobodys,
      google_account_is_elsewhere('nobody', :own) as account, tenant_in_sight() as here`,
      { email, own },
    ),
  );
  assert.equal(rows, [{ address: true, nobodys: false, account: false, here: own }]);
});

test('the proof is HMAC-SHA256 (RFC 2104) as the driver’s side makes it, and one organization’s is not another’s', async () => {
  await asTeachers(async (trx) => {
    assert.not.equal(proofOf(trx, own), proofOf(trx, other));
    await trx.raw(`${set('app.organization_id', other)}, set_config('app.proof', '${proofOf(trx, other)}', true)`);
    const { rows } = await trx.raw('select tenant_in_sight() as here');
    assert.is(rows[0].here, other, 'who has the key may go on');
    await trx.raw(set('app.proof', proofOf(trx, own)));
    assert.is((await trx.raw('select tenant_in_sight() as here')).rows[0].here, null);
  });
});

test.run();
