// Brings a database to the schema of this version. Runs as the owner, once at a time, before anything else connects.
import { runMigrations } from 'bullmq';
import type { Knex } from 'knex';
import pg from 'pg';
import { type Db, runtimeRole } from './db.ts';
import { lockNumbers } from './locks.ts';
import { knownMigrations, publishApplied, refuseForeignSchema } from './postgres/schema-version.ts';

interface Migration {
  up(knex: Knex): Promise<void>;
}

/** knex source over `migrations/*.ts`: plain modules with named exports. */
const source: Knex.MigrationSource<string> = {
  getMigrations: async () => knownMigrations(),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const module: Migration = await import(`../../migrations/${name}.ts`);
    return {
      up: module.up,
      down: () => Promise.reject(new Error('Migrations go forward only; restore a backup instead.')),
    };
  },
};

/** Migrates tables and queue. Concurrent starts wait for each other. */
export async function migrate(owner: Db, ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockNumbers.migration]);
    await refuseForeignSchema(owner);
    // Newer migrations than ours may have run; what is refused is told above.
    await owner.migrate.latest({ migrationSource: source, disableMigrationsListValidation: true });
    await publishApplied(owner);
    await migrateQueue(ownerUrl);
  } finally {
    await client.end();
  }
}

/** BullMQ keeps its own tables in schema `bullmq`; the run-time role may use them and change nothing about them. */
async function migrateQueue(ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  const client = await pool.connect();
  try {
    await runMigrations(client);
    await client.query(`begin; ${bulkWithoutTemporaryTables} ${queueGrants} commit`);
    await refuseTemporaryTables(client);
  } finally {
    client.release();
    await pool.end();
  }
}

/** The library's own body makes temporary tables, with which a login could shadow real ones; jobs of ours have no need. */
const bulkWithoutTemporaryTables = `
  create or replace function bullmq.add_jobs_bulk(p_queue text, p_entries jsonb) returns setof text
  language sql set search_path = bullmq, pg_temp as 'select * from add_flow(p_entries)';`;

/** Jobs carry ids of ours, so that no sequence is made for them at run time. */
const queueGrants = `
  revoke all on schema bullmq from ${runtimeRole};
  revoke all on all tables in schema bullmq from ${runtimeRole};
  revoke all on all sequences in schema bullmq from ${runtimeRole};
  grant usage on schema bullmq to ${runtimeRole};
  grant select, insert, update, delete on all tables in schema bullmq to ${runtimeRole};
  revoke insert, update, delete on bullmq.migration from ${runtimeRole};
  grant usage on all sequences in schema bullmq to ${runtimeRole};`;

async function refuseTemporaryTables(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ open: boolean; name: string }>(`
    select has_database_privilege('${runtimeRole}', current_database(), 'temporary') as open,
      quote_ident(current_database()) as name`);
  if (rows[0]?.open) await client.query(`revoke temporary on database ${rows[0].name} from public`);
}
