// The current test file's own database, as `npm test` hands it over: once as the owner of the tables, once as the
// run-time role that row-level security binds.
import type { Test } from 'uvu';
import { connect as connectAsServed, type Db, type DbOptions } from '#core/platform/db.ts';
import { usualTimeouts } from '#core/platform/timeouts.ts';
import { patientTimeouts } from '../../scripts/test/patience.ts';
import { lastly } from '../../scripts/test/uvu.ts';

export interface TestDatabase {
  /** For arranging rows and for looking past row-level security. */
  readonly owner: Db;
  /** What requests and jobs run on. */
  readonly app: Db;
  /** What limits, sign-in, refresh and readiness have beside it. */
  readonly reserve: Db;
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** Unique among test files that run at the same time; also the prefix of this file's keys in a shared Redis. */
  readonly name: string;
}

/** Connections of a test: they wait as long as it takes. */
export const connect = (url: string, options: DbOptions = {}): Db =>
  connectAsServed(url, { timeouts: patientTimeouts, ...options });

export interface DatabaseOptions {
  /** How long the service waits is what is tested. Default: requests and jobs wait as long as it takes. */
  readonly servedTimeouts?: boolean;
}

/** Opens both connections (lazily) and closes them after the file's last test, when nothing needs them any more. */
export function useDatabase<Context>(test: Test<Context>, options: DatabaseOptions = {}): TestDatabase {
  const ownerUrl = setting('DATABASE_URL');
  const appUrl = setting('DATABASE_APP_URL');
  // Tests hold rows and wait for the service meanwhile: as long as they need to.
  const owner = connect(ownerUrl, { poolSize: 4, statementTimeoutMs: null, asOwner: true });
  const timeouts = options.servedTimeouts ? usualTimeouts : patientTimeouts;
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
