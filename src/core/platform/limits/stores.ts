// The stores of the windows that all processes share. Many keys are counted at once, on PostgreSQL in one statement.
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Db } from '../db.ts';
import { rowsOf } from '../sql.ts';

/** The points that all processes have counted for a key, and the end of its window by the machine's clock. */
export interface SettledWindow {
  readonly points: number;
  readonly endsAt: number;
}

/** Adds points, and opens a window where none is open. Returns the window of every key. */
export type AddPoints = (added: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, SettledWindow>>;

interface StoredWindow {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** Uses the table and the keys of rate-limiter-flexible. Rows are locked in the order of their keys. */
export const onPostgres =
  (db: Db, { prefix, windowMs }: { readonly prefix: string; readonly windowMs: number }): AddPoints =>
  async (added) => {
    const now = Date.now();
    const rows = await rowsOf<StoredWindow>(
      db,
      `insert into rate_limit as w (key, points, expire)
       select a.key, a.points, :endsAt::bigint from unnest(:keys::text[], :points::integer[]) as a (key, points)
       order by a.key
       on conflict (key) do update set
         points = case when w.expire <= :now::bigint then excluded.points else w.points + excluded.points end,
         expire = case when w.expire <= :now::bigint then excluded.expire else w.expire end
       returning key, points, expire`,
      {
        keys: [...added.keys()].map((key) => `${prefix}:${key}`),
        points: [...added.values()],
        now,
        endsAt: now + windowMs,
      },
    );
    return new Map(rows.map(({ key, points, expire: endsAt }) => [key.slice(prefix.length + 1), { points, endsAt }]));
  };

/** The commands of one call are pipelined. */
export const onRedis =
  (limiter: RateLimiterRedis): AddPoints =>
  async (added) => {
    const settle = async ([key, points]: readonly [string, number]): Promise<[string, SettledWindow]> => {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, points);
      return [key, { points: consumedPoints, endsAt: Date.now() + msBeforeNext }];
    };
    return new Map(await Promise.all([...added].map(settle)));
  };
