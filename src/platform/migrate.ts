// Brings a database to the schema of this version. Runs as the owner, once at a time, before anything else connects.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMigrations } from 'bullmq';
import type { Knex } from 'knex';
import pg from 'pg';
import { type Db, runtimeRole } from './db.ts';
import { lockNumbers } from './locks.ts';

const migrationsDir = path.resolve(import.meta.dirname, '../../migrations');

interface Migration {
  up(knex: Knex): Promise<void>;
}

/** knex source over `migrations/*.ts`: plain modules with named exports. */
const source: Knex.MigrationSource<string> = {
  getMigrations: async () =>
    fs
      .readdirSync(migrationsDir)
      .filter((name) => /^\d{4}-.*\.ts$/.test(name))
      .sort(),
  getMigrationName: (name) => name.replace(/\.ts$/, ''),
  getMigration: async (name) => {
    const module = (await import(pathToFileURL(path.join(migrationsDir, name)).href)) as Migration;
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
    await owner.migrate.latest({ migrationSource: source, disableMigrationsListValidation: false });
    await migrateQueue(ownerUrl);
  } finally {
    await client.end();
  }
}

/** BullMQ keeps its own tables in schema `bullmq`; the run-time role may use them and nothing else there. */
async function migrateQueue(ownerUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  const client = await pool.connect();
  try {
    await runMigrations(client);
    for (const kind of ['tables', 'sequences', 'functions']) {
      await client.query(`grant all on all ${kind} in schema bullmq to ${runtimeRole}`);
    }
    // BullMQ makes a sequence for each queue on first use; they are all that the run-time role ever owns.
    await client.query(`grant usage, create on schema bullmq to ${runtimeRole}`);
  } finally {
    client.release();
    await pool.end();
  }
}
