// Waiting for a fact instead of for a time: a test that sleeps says what the machine can do, not what the service does.

import type { Db } from '#core/platform/db.ts';
import { factPatienceMs } from '../../scripts/test/patience.ts';

const pollMs = 20;

/** Waits until `check` holds; throws when it does not in time. */
export async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + factPatienceMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** How many connections to the database of `db` wait for a lock that another has. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await db.raw(`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0].count;
}
