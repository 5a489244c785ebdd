// Waits for a condition instead of for a time. A sleep would test the speed of the machine, not the service.

import type { Db } from '#core/platform/db.ts';
import { eventuallyTimeoutMs } from '../../scripts/test/timeouts.ts';

const pollMs = 20;

/** Waits until `check` returns true. Throws when the time limit has passed. */
export async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + eventuallyTimeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`did not happen in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Returns how many connections to the database of `db` wait for a lock of another one. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await db.raw(`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0].count;
}
