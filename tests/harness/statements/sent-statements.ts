// The statements that a process sends while something is done, for tests of how many there are.
import type { Db } from '#core/platform/db.ts';

/** Which rules are in force is asked from time to time, and limits are told to the store, whatever is being done. */
const fromTimeToTime = /rule_activation|rate_limit/;

const quietMs = 10;
const patienceMs = 10_000;

/**
 * In the order in which they were sent; nothing else may use `db` meanwhile. What earlier requests have left behind, as the
 * events of refusals, comes to its end first.
 */
export async function sentStatements(db: Db, work: () => Promise<unknown>): Promise<readonly string[]> {
  await untilQuiet(db);
  const sent: string[] = [];
  const note = ({ sql }: { readonly sql: string }) => sent.push(sql);
  db.on('query', note);
  await work().finally(() => db.removeListener('query', note));
  return sent.filter((sql) => !fromTimeToTime.test(sql));
}

/** Until no connection has been in use, nor been waited for, for a moment. */
async function untilQuiet({ client: { pool } }: Db): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let usedAt = performance.now();
  while (performance.now() - usedAt < quietMs) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (pool.numUsed() + pool.numPendingAcquires() > 0) usedAt = performance.now();
    if (performance.now() > deadline) throw new Error('connections are in use all the time');
  }
}
