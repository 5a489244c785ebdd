// Checks that this program and the database's schema fit together. A schema may be newer than the program: the previous release
// goes on working during a rollout, and an old image can be started again.
import fs from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../config/settings.ts';
import type { Db } from '../db.ts';
import { rowsOf } from '../sql.ts';
import { migrationFile, phaseOf } from './phases.ts';

const repository = path.resolve(import.meta.dirname, '../../../..');
export const { version: appVersion } = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** Returns the names of the migrations of this program, in their order. */
export const knownMigrations = (): string[] =>
  fs
    .readdirSync(path.join(repository, 'migrations'))
    .filter((name) => migrationFile.test(name))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();

/** Returns the names of the migrations that have run, in their order; none for an empty database. */
export async function appliedMigrations(owner: Db): Promise<string[]> {
  if (!(await owner.schema.hasTable('knex_migrations'))) return [];
  return owner('knex_migrations').orderBy('name').pluck<string[]>('name');
}

/**
 * Throws ConfigError if the schema needs a newer program, or has a migration that is neither known nor newer than all known
 * ones: then the two have different histories.
 */
export async function refuseForeignSchema(owner: Db, program: string = appVersion): Promise<void> {
  const applied = await appliedMigrations(owner);
  if (applied.length === 0) return;
  const known = knownMigrations();
  const newest = known.at(-1) ?? '';
  const foreign = applied.find((name) => !known.includes(name) && name < newest);
  if (foreign) throw new ConfigError(`DATABASE_URL: the database holds migration ${foreign}, of another history.`);
  if (!(await owner.schema.hasTable('schema_version'))) return;
  const [row] = await rowsOf<{ minApp: string }>(owner, 'select min_app from schema_version', {});
  if (row && isOlder(program, row.minApp)) {
    throw new ConfigError(`DATABASE_URL: the database needs version ${row.minApp} or newer; this is ${program}.`);
  }
}

/** Copies the list of migrations to a table that the run-time roles can read. */
export async function publishApplied(owner: Db): Promise<void> {
  await owner.raw('update schema_version set applied = (select array_agg(name order by name) from knex_migrations)');
}

/** Rejects while a migration that this program needs has not run. Contract migrations are not needed. */
export async function migrationsApplied(db: Db): Promise<void> {
  const [row] = await rowsOf<{ applied: string[] }>(db, 'select applied from schema_version', {});
  const applied = new Set(row?.applied);
  const missing = knownMigrations().filter((name) => phaseOf(name) !== 'contract' && !applied.has(name));
  if (missing.length > 0) throw new Error(`migrations have not run: ${missing.join(', ')}`);
}

/** Returns whether a version is older than another one: `1.9.3` is older than `1.10.0`. */
function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (const [position, number] of (right ?? []).entries()) {
    const own = left?.[position] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}
