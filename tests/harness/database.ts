// Connections to the test file's own database, which `npm test` creates: as the owner of the tables and as the run-time
// role, to which row-level security applies.
import type { Test } from 'uvu';
import { connect as connectAsServed, type Db, type DbOptions } from '#core/platform/db.ts';
import { usualTimeouts } from '#core/platform/timeouts.ts';
import { longTimeouts } from '../../scripts/test/timeouts.ts';
import { lastly } from '../../scripts/test/uvu.ts';

export interface TestDatabase {
  /** For inserting rows and for reading without row-level security. */
  readonly owner: Db;
  /** Used by requests and jobs. */
  readonly app: Db;
  /** Used by limits, sign-in, refresh and readiness. */
  readonly reserve: Db;
  readonly ownerUrl: string;
  readonly appUrl: string;
  /**
   * Unique among test files that run at the same time. It is also the prefix of this file's keys in a shared Redis.
   */
  readonly name: string;
}

/** Connections of a test have no time limits. */
export const connect = (url: string, options: DbOptions = {}): Db =>
  connectAsServed(url, { timeouts: longTimeouts, ...options });

export interface DatabaseOptions {
  /** The test is about the time limits of the service. Default: requests and jobs have none. */
  readonly servedTimeouts?: boolean;
}

/** Opens both connections lazily and closes them after the file's last test, after everything that uses them. */
export function useDatabase<Context>(test: Test<Context>, options: DatabaseOptions = {}): TestDatabase {
  const ownerUrl = setting('DATABASE_URL');
  const appUrl = setting('DATABASE_APP_URL');
  // Tests hold row locks while they wait for the service, for any time.
  const owner = connect(ownerUrl, { poolSize: 4, statementTimeoutMs: null, asOwner: true });
  const timeouts = options.servedTimeouts ? usualTimeouts : longTimeouts;
  const app = connect(appUrl, { timeouts });
  const reserve = connect(appUrl, { timeouts, poolSize: 1 });
  lastly(test, async () => {
    await Promise.all([app.destroy(), reserve.destroy()]);
    await owner.destroy();
  });
  return { owner, app, reserve, ownerUrl, appUrl, name: new URL(ownerUrl).pathname.slice(1) };
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`This test needs a database of its own: npm test -- ${testName()}`);
  return value;
}

const testName = () => (process.argv[1] ?? '').replace(/^.*\/tests\//, '').replace(/\.test\.(ts|mjs)$/, '');
