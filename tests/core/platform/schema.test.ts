// Checks every table of the migrated database, so that a missing guard is found here.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { platformRole, runtimeRole } from '#core/platform/db.ts';
import { useDatabase } from '../../harness/database.ts';

const { owner } = useDatabase(test);

/** Tables that belong to knex: the run-time role has no access to them. */
const bookkeeping = ['knex_migrations', 'knex_migrations_lock'];

async function rows<Row>(sql: string, bindings: readonly string[] = []): Promise<Row[]> {
  return (await owner.raw(sql, [...bindings])).rows;
}

const tenantTables = `select c.oid, c.relname as name, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and (c.relname = 'organization' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))`;

const appendOnlyTables = `select distinct t.tgrelid as oid, t.tgrelid::regclass::text as name from pg_trigger t
  where t.tgfoid = 'refuse_change'::regproc and not t.tgisinternal`;

test('the tables are found', async () => {
  const names = (await rows<{ name: string }>(tenantTables)).map(({ name }) => name);
  for (const name of ['organization', 'school', 'class', 'app_user', 'outbox']) assert.ok(names.includes(name), name);
});

test('every tenant table has row-level security, for its owner too', async () => {
  const open = await rows(`select name from (${tenantTables}) t where not (relrowsecurity and relforcerowsecurity)`);
  assert.equal(open, []);
});

test('every tenant table has exactly two policies, for every command: one for the context, one for the platform', async () => {
  const tables = await rows<{ name: string }>(tenantTables);
  const policies = await rows<{ name: string; cmd: string; roles: string; using: string | null; check: string | null }>(
    `select tablename as name, cmd, roles::text as roles, qual as using, with_check as check from pg_policies
      where schemaname = 'public' order by tablename, policyname`,
  );
  for (const { name } of tables) {
    const isItself = name === 'organization';
    const context = `(${isItself ? 'id' : 'organization_id'} = ( SELECT tenant_in_sight() AS tenant_in_sight))`;
    const notThePlatform = "(id <> 'platform'::text)";
    const mine = isItself ? `(${context} AND ${notThePlatform})` : context;
    const all = isItself ? notThePlatform : 'true';
    const own = policies.filter((policy) => policy.name === name);
    assert.equal(own, [
      { name, cmd: 'ALL', roles: `{${platformRole}}`, using: all, check: all },
      { name, cmd: 'ALL', roles: `{${runtimeRole}}`, using: mine, check: mine },
    ]);
  }
});

test('every column organization_id is bound to an organization, directly, through a composite key or by its run', async () => {
  const unbound = await rows(`select name from (${tenantTables}) t where name <> 'organization' and not exists (
    select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
    where k.conrelid = t.oid and k.contype = 'f' and a.attname = 'organization_id')
    and not exists (select from pg_trigger g where g.tgrelid = t.oid and g.tgenabled = 'O'
      and g.tgfoid = 'guard_snapshot_of_run'::regproc)`);
  assert.equal(unbound, []);
});

test('every foreign key between tenant tables carries the organization', async () => {
  const plain = await rows<{ name: string }>(`
    with tenant as (${tenantTables})
    select k.conname as name from pg_constraint k
      join tenant f on f.oid = k.conrelid join tenant t on t.oid = k.confrelid and t.name <> 'organization'
    where k.contype = 'f' and not exists (
      select from unnest(k.conkey, k.confkey) pair(here, there)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.here and a.attname = 'organization_id'
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.there and b.attname = 'organization_id')
    order by 1`);
  assert.equal(plain, []);
});

test('no row of a tenant table is without an organization', async () => {
  const open = await rows(`select t.name from (${tenantTables}) t join pg_attribute a on a.attrelid = t.oid
    where a.attname = 'organization_id' and not a.attnotnull`);
  assert.equal(open, []);
});

/** Unique over all organizations, because they are looked up before the organization is known. */
const lookUpKeys: readonly string[] = [
  'external_identity_google',
  'handoff_code_pkey',
  'live_join_code_pkey',
  'lms_oauth_state_pkey',
  'organization_pkey',
  'organization_slug_unique',
  'password_recovery_pkey',
  'quick_code_hash_unique',
  'refresh_token_pkey',
  'sign_in_name_pkey',
];

test('every primary and unique key of a tenant table begins with the organization, except those of look-ups', async () => {
  const keys = await rows<{ name: string }>(`
    select i.indexrelid::regclass::text as name from pg_index i join (${tenantTables}) t on t.oid = i.indrelid
    where i.indisunique and not exists (select from pg_attribute a
      where a.attrelid = i.indrelid and a.attname = 'organization_id' and a.attnum = i.indkey[0])
    order by 1`);
  assert.equal(
    keys.map(({ name }) => name),
    lookUpKeys,
  );
});

for (const name of [runtimeRole, platformRole]) {
  test(`${name} has no special privileges`, async () => {
    const [role] = await rows(
      'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = ?',
      [name],
    );
    assert.equal(role, {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    });
    const owned = await rows(
      "select classid::regclass::text as kind, objid from pg_shdepend where refobjid = ?::regrole and deptype = 'o'",
      [name],
    );
    assert.equal(owned, [], 'it owns nothing');
  });
}

test('neither role has the privileges of another one', async () => {
  // Another database of the cluster may be of a release in which one role can still become the other.
  const inherited = await rows(
    `select member::regrole::text as member, roleid::regrole::text as becomes from pg_auth_members
     where member in (?::regrole, ?::regrole)
       and (pg_has_role(member, roleid, 'usage') or roleid <> ?::regrole or member <> ?::regrole)`,
    [runtimeRole, platformRole, platformRole, runtimeRole],
  );
  assert.equal(inherited, []);
});

test('the run-time role can neither truncate a table nor create triggers or foreign keys on one', async () => {
  const granted = await rows(
    `select c.relname as name, privilege from pg_class c, unnest(array['TRUNCATE', 'TRIGGER', 'REFERENCES']) privilege
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(?, c.oid, privilege)`,
    [runtimeRole],
  );
  assert.equal(granted, []);
});

test('the run-time role has no access to the record of migrations', async () => {
  for (const table of bookkeeping) {
    const [access] = await rows<{ any: boolean }>('select has_table_privilege(?, ?, ?) as any', [
      runtimeRole,
      table,
      'SELECT, INSERT, UPDATE, DELETE',
    ]);
    assert.is(access?.any, false, table);
  }
});

test('the run-time role may only add to append-only tables', async () => {
  const tables = await rows<{ name: string }>(appendOnlyTables);
  assert.ok(tables.length > 0);
  const granted = await rows(
    `select a.name, privilege from (${appendOnlyTables}) a, unnest(array['UPDATE', 'DELETE', 'TRUNCATE']) privilege
      where has_table_privilege(?, a.oid, privilege) or (privilege = 'UPDATE' and has_any_column_privilege(?, a.oid, privilege))`,
    [runtimeRole, runtimeRole],
  );
  assert.equal(granted, []);
});

/** Bits of pg_trigger.tgtype. */
const rowBit = 1;
const beforeBit = 2;
const deleteBit = 8;
const updateBit = 16;
const truncateBit = 32;

test('every append-only table refuses update, delete and truncate, for every role', async () => {
  const triggers = await rows<{ name: string; tgtype: number; tgenabled: string; conditional: boolean }>(
    `select tgrelid::regclass::text as name, tgtype::integer, tgenabled, tgqual is not null as conditional
      from pg_trigger where tgfoid = 'refuse_change'::regproc and not tgisinternal`,
  );
  for (const { name } of await rows<{ name: string }>(appendOnlyTables)) {
    const own = triggers.filter(
      (trigger) => trigger.name === name && trigger.tgenabled === 'O' && !trigger.conditional,
    );
    const refuses = (bits: number) => own.some(({ tgtype }) => (tgtype & bits) === bits);
    assert.ok(refuses(rowBit | beforeBit | updateBit), `${name}: update`);
    assert.ok(refuses(rowBit | beforeBit | deleteBit), `${name}: delete`);
    assert.ok(refuses(beforeBit | truncateBit), `${name}: truncate`);
  }
});

test('an append-only row cannot be updated, deleted or truncated, not even by the owner', async () => {
  const row = { id: 'schema-test', versions: '{}', createdAt: new Date() };
  await owner('rule_bundle').insert(row);
  for (const sql of [
    "update rule_bundle set versions = '{}'",
    'delete from rule_bundle',
    'truncate rule_bundle cascade',
  ]) {
    const refusal: unknown = await owner.raw(sql).then(
      () => 'accepted',
      (error: unknown) => error,
    );
    assert.match(String(refusal), 'append-only', sql);
  }
  assert.is((await owner('rule_bundle').where({ id: row.id }).select('id')).length, 1);
});

test('partitions of ledgers are secured like their tables, and are reached through them alone', async () => {
  const parts = await rows<{ name: string; secured: boolean; granted: boolean; kept: boolean }>(
    `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as secured,
       has_any_column_privilege(?, c.oid, 'select, insert, update') or has_any_column_privilege(?, c.oid, 'select, insert, update')
         or has_table_privilege(?, c.oid, 'delete, truncate') or has_table_privilege(?, c.oid, 'delete, truncate') as granted,
       exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = c.relname || '_no_truncate') as kept
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r' order by 1`,
    [runtimeRole, platformRole, runtimeRole, platformRole],
  );
  assert.ok(parts.length > 0);
  for (const part of parts) assert.equal(part, { name: part.name, secured: true, granted: false, kept: true });
});

test('every ledger of a school year is partitioned by it, has it in every key, and has a default partition', async () => {
  const ledgers = await rows<{ name: string; split: string | null; keys: boolean; rest: boolean }>(
    `select t.name, pg_get_partkeydef(t.oid) as split,
       (select bool_and(exists (select from pg_attribute a
          where a.attrelid = i.indrelid and a.attname = 'school_year' and a.attnum = any(i.indkey)))
        from pg_index i where i.indrelid = t.oid and i.indisunique) as keys,
       exists (select from pg_class d where d.relname = t.name || '_default' and d.relispartition) as rest
     from (${tenantTables}) t join (${appendOnlyTables}) l on l.oid = t.oid
     where exists (select from pg_attribute a where a.attrelid = t.oid and a.attname in ('session_id', 'queue_id', 'run_id', 'student_id', 'live_session_id'))
       and t.name not in ('audit_entry', 'platform_alert', 'data_export', 'context_flag_refusal') order by 1`,
  );
  assert.is(ledgers.length, 36);
  for (const { name, ...ledger } of ledgers)
    assert.equal(ledger, { split: 'LIST (school_year)', keys: true, rest: true }, name);
});

test('few functions run with the privileges of their owner, and no view bypasses a policy', async () => {
  const functions = await rows(
    `select proname as name, proconfig as settings, has_function_privilege(?, oid, 'execute') as open
     from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by proname`,
    [runtimeRole],
  );
  const settings = ['search_path=public, pg_temp'];
  assert.equal(functions, [
    { name: 'address_is_elsewhere', settings, open: true },
    { name: 'google_account_is_elsewhere', settings, open: true },
    { name: 'make_ledger_part', settings: ['search_path=public, pg_temp', 'lock_timeout=200ms'], open: false },
    // It qualifies every name with its schema.
    { name: 'tenant_in_sight', settings: null, open: true },
  ]);
  const views = await rows(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and (relkind = 'm' or (relkind = 'v' and not coalesce(reloptions::text like '%security_invoker=true%', false)))`);
  assert.equal(views, []);
});

test.run();
