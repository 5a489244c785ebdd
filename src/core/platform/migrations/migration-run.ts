// One migration in one transaction, while others use the database. It waits for a lock only briefly, because everybody who
// comes after it waits behind it; it tries again a few times, and then says who stands in the way.
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ConfigError } from '../config/settings.ts';
import { connect, type Db } from '../db.ts';
import { rowsOf } from '../sql.ts';

export interface Migration {
  /** Without a transaction (`create index concurrently`): such a migration holds one statement that can be repeated. */
  readonly config?: { readonly transaction: boolean };
  up(knex: Knex): Promise<void>;
}

export interface Patience {
  readonly tries: number;
  readonly lockTimeoutMs: number;
  /** Between two tries, on average. */
  readonly pauseMs: number;
}

const patience: Patience = { tries: 20, lockTimeoutMs: 2_000, pauseMs: 1_000 };

/** Waits for transactions that are older than it, and holds nobody up meanwhile. */
const concurrentLockTimeoutMs = 60_000;
const lookEveryMs = 250;
const shownQuery = 120;

export interface Database {
  readonly owner: Db;
  readonly ownerUrl: string;
}

/** Throws ConfigError that names the process in the way when all tries have been in vain. */
export async function runMigration(
  database: Database,
  name: string,
  migration: Migration,
  limits = patience,
): Promise<void> {
  const watch = watchBlockers(database.owner);
  const run = migration.config?.transaction === false ? runAlone : runInTransaction;
  for (let left = limits.tries; left > 0; left -= 1) {
    try {
      return await run(database, name, migration, limits, watch.look);
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

/** `look` is told which connection is going to wait. */
type Run = (
  database: Database,
  name: string,
  migration: Migration,
  limits: Patience,
  look: (pid: number) => void,
) => Promise<void>;

const runInTransaction: Run = ({ owner }, name, { up }, { lockTimeoutMs }, look) =>
  owner.transaction(async (trx) => {
    await trx.raw(`set local lock_timeout = ${lockTimeoutMs}`);
    look(await pidOf(trx));
    await up(trx);
    await record(trx, name);
  });

/** On a connection of its own, for it is the connection that has the setting. */
const runAlone: Run = async ({ owner, ownerUrl }, name, { up }, _limits, look) => {
  const alone = connect(ownerUrl, { poolSize: 1, statementTimeoutMs: null, asOwner: true });
  try {
    await alone.raw(`set lock_timeout = ${concurrentLockTimeoutMs}`);
    look(await pidOf(alone));
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

/** Whoever is in the way is known only while one waits for him. */
function watchBlockers(owner: Db) {
  let timer: NodeJS.Timeout | undefined;
  let seen = 'who holds the lock was not seen';
  const pause = () => clearInterval(timer);
  const ask = async (pid: number) => {
    const [blocker] = await rowsOf<Blocker>(owner, blockersOf, { pid, shownQuery });
    if (blocker) seen = sentence(blocker);
  };
  return {
    look(pid: number) {
      pause();
      timer = setInterval(() => void ask(pid).catch(() => {}), lookEveryMs);
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

/** The oldest transaction first. */
const blockersOf = `
  select a.pid, round(extract(epoch from clock_timestamp() - a.xact_start))::integer as age_seconds, a.state,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), :shownQuery) as query
  from unnest(pg_blocking_pids(:pid)) as b (pid) join pg_stat_activity a on a.pid = b.pid
  order by a.xact_start limit 1`;

const sentence = ({ pid, ageSeconds, state, query }: Blocker): string =>
  `process ${pid} has held its lock for ${ageSeconds} s (${state}): ${query}`;
