// Migrations run at every start, by several processes at once, and by owners that are not superusers.
import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, platformRole, runtimeRole } from '#core/platform/db.ts';
import { migrate } from '#core/platform/migrations/migrate.ts';
import { migrationsApplied, publishApplied, refuseForeignSchema } from '#core/platform/migrations/schema-version.ts';
import { connect, useDatabase } from '../../../harness/database.ts';

const { app, owner, ownerUrl, name } = useDatabase(test);

/** Creates an empty database beside the test's own, dropped afterwards. */
async function withEmptyDatabase(owningRole: string | undefined, work: (url: string) => Promise<void>): Promise<void> {
  const database = `${name}_empty`;
  await owner.raw(`create database ${database}${owningRole ? ` owner ${owningRole}` : ''}`);
  const url = new URL(ownerUrl);
  url.pathname = `/${database}`;
  try {
    await work(url.href);
  } finally {
    await owner.raw(`drop database ${database} with (force)`);
  }
}

async function migrateAt(url: string): Promise<void> {
  const db = connect(url, { statementTimeoutMs: null });
  try {
    await migrate(db, url);
  } finally {
    await db.destroy();
  }
}

/** Returns the names of tables by schema, and of the migrations that ran. */
async function inventory(db: Db) {
  const { rows } = await db.raw(`select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'bullmq') order by 1`);
  return { tables: rows, migrations: await db('knex_migrations').orderBy('id').select('name', 'batch') };
}

async function inventoryAt(url: string) {
  const db = connect(url);
  try {
    return await inventory(db);
  } finally {
    await db.destroy();
  }
}

test('a migrated database has tables, the queue’s tables and a record of both', async () => {
  const { tables, migrations } = await inventory(owner);
  const names = tables.map((row: { name: string }) => row.name);
  assert.ok(names.includes('public.organization'));
  assert.ok(names.some((table: string) => table.startsWith('bullmq.')));
  assert.ok(migrations.length > 0);
});

test('migrating again changes nothing', async () => {
  const before = await inventory(owner);
  await migrateAt(ownerUrl);
  assert.equal(await inventory(owner), before);
});

async function refused(work: Promise<unknown>, why: RegExp): Promise<void> {
  const outcome = await work.then(
    () => 'done',
    (error: Error) => error.message,
  );
  assert.match(outcome, why);
}

const program = { older: '0.1.9', ours: '0.2.0' };

test('a schema with additions of a newer release is accepted, one that needs a newer program is refused', async () => {
  await owner('knex_migrations').insert({
    name: '29990101_01-of-a-release-to-come',
    batch: 99,
    migrationTime: new Date(),
  });
  await migrateAt(ownerUrl);
  await refuseForeignSchema(owner, program.ours);
  await refused(refuseForeignSchema(owner, program.older), /needs version 0\.2\.0 or newer; this is 0\.1\.9/);
  await owner('schema_version').update({ minApp: '0.10.0' });
  await refused(migrateAt(ownerUrl), /needs version 0\.10\.0 or newer/);
  await owner('schema_version').update({ minApp: program.ours });
  await owner('knex_migrations').where({ batch: 99 }).delete();
});

test('a migration that is neither known nor newer is refused as foreign', async () => {
  await owner('knex_migrations').insert({ name: '20000101_01-unheard-of', batch: 99, migrationTime: new Date() });
  await refused(migrateAt(ownerUrl), /migration 20000101_01-unheard-of, of another history/);
  await owner('knex_migrations').where({ batch: 99 }).delete();
});

test('the run-time role sees whether a migration is missing', async () => {
  await migrationsApplied(app);
  const needed = owner('knex_migrations').whereNot('name', 'like', '%.contract');
  const [last] = await needed.orderBy('name', 'desc').limit(1);
  await owner('knex_migrations').where({ name: last.name }).delete();
  await publishApplied(owner);
  await refused(migrationsApplied(app), new RegExp(last.name));
  await owner('knex_migrations').insert(last);
  await publishApplied(owner);
});

test('processes that start at once on an empty database end with one migrated database', async () => {
  await withEmptyDatabase(undefined, async (url) => {
    await Promise.all([migrateAt(url), migrateAt(url), migrateAt(url)]);
    assert.equal(await inventoryAt(url), await inventory(owner));
  });
});

test('an owner that is no superuser can migrate, once the run-time roles exist and it may grant them', async () => {
  const role = `${name}_owner`;
  const password = randomBytes(12).toString('hex');
  await owner.raw(`create role ${role} login createrole password '${password}'`);
  await owner.raw(`grant ${runtimeRole}, ${platformRole} to ${role} with admin option`);
  try {
    await withEmptyDatabase(role, async (adminUrl) => {
      const url = new URL(adminUrl);
      url.username = role;
      url.password = password;
      await migrateAt(url.href);
      await migrateAt(url.href);
      assert.equal(await inventoryAt(url.href), await inventory(owner));
    });
  } finally {
    await owner.raw(`drop role ${role}`);
  }
});

test('the run-time role uses the rows of the queue’s tables, and can create nothing', async () => {
  const app = connect(ownerUrl, { actAs: runtimeRole, poolSize: 1 });
  try {
    const { rows } = await app.raw(`select
      has_schema_privilege('bullmq', 'usage') as use_queue, has_schema_privilege('bullmq', 'create') as change_queue,
      has_schema_privilege('public', 'create') as change_public,
      has_database_privilege(current_database(), 'temporary') as temporary_tables,
      has_database_privilege(current_database(), 'create') as schemas`);
    assert.equal(rows, [
      { use_queue: true, change_queue: false, change_public: false, temporary_tables: false, schemas: false },
    ]);
    const { rows: tables } = await app.raw(`select c.relname as name from pg_class c
      where c.relnamespace = 'bullmq'::regnamespace and c.relkind = 'r'
        and has_table_privilege(c.oid, 'truncate, references, trigger')`);
    assert.equal(tables, []);
  } finally {
    await app.destroy();
  }
});

test.run();
