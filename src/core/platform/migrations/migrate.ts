// Migrates a database to the schema of this version, as the owner, one process at a time, before anything else connects.
import { setTimeout as pause } from 'node:timers/promises';
import { runMigrations } from 'bullmq';
import type { Knex } from 'knex';
import pg from 'pg';
import { type Db, runtimeRole } from '../db.ts';
import { lockNumbers } from '../locks.ts';
import { type Database, type Migration, runMigration } from './migration-run.ts';
import { phaseOf, toRun } from './phases.ts';
import { appliedMigrations, knownMigrations, publishApplied, refuseForeignSchema } from './schema-version.ts';

const load = (name: string): Promise<Migration> => import(`../../../../migrations/${name}.ts`);

/** The knex source of the clean start: an empty database gets all of it in one transaction. */
const cleanStart: Knex.MigrationSource<string> = {
  getMigrations: async () => knownMigrations().filter((name) => phaseOf(name) === undefined),
  getMigrationName: (name) => name,
  getMigration: async (name) => {
    const { up } = await load(name);
    return { up, down: () => Promise.reject(new Error('Migrations go forward only; restore a backup instead.')) };
  },
};

export interface MigrateOptions {
  /**
   * Run the contract phase too, which removes what older processes may still use; only an operator knows that the last one has
   * ended.
   */
  readonly contract?: boolean;
}

/** Migrates the tables and the queue. Concurrent starts wait for each other. A new database gets both phases. */
export const migrate = (owner: Db, ownerUrl: string, options: MigrateOptions = {}): Promise<void> =>
  withMigrationLock(ownerUrl, async () => {
    await refuseForeignSchema(owner);
    await migrateTables({ owner, ownerUrl }, options);
    await publishApplied(owner);
    await migrateQueue(ownerUrl);
  });

const pollMs = 100;

/**
 * Runs `work` in one process at a time. A waiting process polls: a statement that waited would be an open transaction, for
 * which the concurrent creation of an index would wait in turn.
 */
export async function withMigrationLock<T>(ownerUrl: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (let hasLock = false; !hasLock; ) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockNumbers.migration]);
      hasLock = rows[0]?.taken === true;
      if (!hasLock) await pause(pollMs);
    }
    return await work();
  } finally {
    await client.end();
  }
}

async function migrateTables(database: Database, { contract = false }: MigrateOptions): Promise<void> {
  const names = toRun(knownMigrations(), await appliedMigrations(database.owner), contract);
  if (names.some((name) => phaseOf(name) === undefined)) {
    // The database may have newer migrations; foreign ones have been refused before.
    await database.owner.migrate.latest({ migrationSource: cleanStart, disableMigrationsListValidation: true });
  }
  const later = names.filter((name) => phaseOf(name) !== undefined);
  for (const name of later) await runMigration(database, name, await load(name));
}

/** BullMQ has tables of its own in the schema `bullmq`, which the run-time role may use but not alter. */
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

/**
 * The library's version of the function creates temporary tables, with which a login could shadow real ones; our jobs do not
 * need them.
 */
const bulkWithoutTemporaryTables = `
  create or replace function bullmq.add_jobs_bulk(p_queue text, p_entries jsonb) returns setof text
  language sql set search_path = bullmq, pg_temp as 'select * from add_flow(p_entries)';`;

/** Our jobs bring their ids, so that the library creates no sequences at run time. */
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
