// Runs one migration in one transaction while others use the database. It waits for a lock only briefly, because later
// transactions queue behind it, retries a few times, and then reports the blocking process.
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ConfigError } from '../config/settings.ts';
import { connect, type Db } from '../db.ts';
import { rowsOf } from '../sql.ts';

export interface Migration {
  /** `transaction: false` is for `create index concurrently`; such a migration is one statement that can be repeated. */
  readonly config?: { readonly transaction: boolean };
  up(knex: Knex): Promise<void>;
}

export interface LockRetries {
  readonly tries: number;
  readonly lockTimeoutMs: number;
  /** The average pause between two tries. */
  readonly pauseMs: number;
}

const lockRetries: LockRetries = { tries: 20, lockTimeoutMs: 2_000, pauseMs: 1_000 };

/** A migration without a transaction waits for older transactions and blocks no others meanwhile. */
const concurrentLockTimeoutMs = 60_000;
const pollMs = 250;
const maxQueryLength = 120;

export interface Database {
  readonly owner: Db;
  readonly ownerUrl: string;
}

/** Throws ConfigError that names the blocking process if all tries have failed. */
export async function runMigration(
  database: Database,
  name: string,
  migration: Migration,
  limits = lockRetries,
): Promise<void> {
  const watch = watchBlockers(database.owner);
  const run = migration.config?.transaction === false ? runWithoutTransaction : runInTransaction;
  for (let left = limits.tries; left > 0; left -= 1) {
    try {
      return await run(database, name, migration, limits, watch.watchPid);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    } finally {
      watch.pause();
    }
    if (left > 1) await pause(limits.pauseMs * (0.5 + Math.random()));
  }
  const tries = `after ${limits.tries} tries`;
  throw new ConfigError(`DATABASE_URL: migration ${name} gave up ${tries}: ${watch.seen()}`);
}

/** `watchPid` receives the process id of the connection that will wait. */
type Run = (
  database: Database,
  name: string,
  migration: Migration,
  limits: LockRetries,
  watchPid: (pid: number) => void,
) => Promise<void>;

const runInTransaction: Run = ({ owner }, name, { up }, { lockTimeoutMs }, watchPid) =>
  owner.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = ${lockTimeoutMs}`);
    watchPid(await pidOf(trx));
    await up(trx);
    await record(trx, name);
  });

/** Uses a connection of its own, because the lock timeout is a setting of the session. */
const runWithoutTransaction: Run = async ({ owner, ownerUrl }, name, { up }, _limits, watchPid) => {
  const alone = connect(ownerUrl, { poolSize: 1, statementTimeoutMs: null, asOwner: true });
  try {
    await alone.raw(`set lock_timeout = ${concurrentLockTimeoutMs}`);
    watchPid(await pidOf(alone));
    await up(alone);
  } finally {
    await alone.destroy();
  }
  await record(owner, name);
};

const record = (db: Db, name: string) =>
  db.raw(
    `insert into knex_migrations (name, batch, migration_time)
     select :name, coalesce(max(batch), 0) + 1, clock_timestamp() from knex_migrations`,
    { name },
  );

async function pidOf(db: Db): Promise<number> {
  const [row] = await rowsOf<{ pid: number }>(db, 'select pg_backend_pid() as pid', {});
  return row?.pid ?? 0;
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';

/** Polls for the blocking process, which is known only while the connection waits. */
function watchBlockers(owner: Db) {
  let timer: NodeJS.Timeout | undefined;
  let seen = 'the holder of the lock was not seen';
  const pause = () => clearInterval(timer);
  const poll = async (pid: number) => {
    const [blocker] = await rowsOf<Blocker>(owner, blockersOf, { pid, maxQueryLength });
    if (blocker) seen = sentence(blocker);
  };
  return {
    watchPid(pid: number) {
      pause();
      timer = setInterval(() => void poll(pid).catch(() => {}), pollMs);
    },
    pause,
    seen: () => seen,
  };
}

interface Blocker {
  readonly pid: number;
  readonly ageSeconds: number;
  readonly state: string | null;
  readonly query: string | null;
}

/** Finds the blocking process with the oldest transaction. */
const blockersOf = `
  select a.pid, round(extract(epoch from clock_timestamp() - a.xact_start))::integer as age_seconds, a.state,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), :maxQueryLength) as query
  from unnest(pg_blocking_pids(:pid)) as b (pid) join pg_stat_activity a on a.pid = b.pid
  order by a.xact_start limit 1`;

const sentence = ({ pid, ageSeconds, state, query }: Blocker): string =>
  `process ${pid} has held its lock for ${ageSeconds} s (${state}): ${query}`;
