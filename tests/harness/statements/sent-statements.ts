// Records the statements that a process sends while a function runs, for tests of their number.
import type { Db } from '#core/platform/db.ts';

/** Periodic statements, independent of the work: reading the rules in force and storing limits. */
const fromTimeToTime = /rule_activation|rate_limit/;

const quietMs = 10;
const patienceMs = 10_000;

/**
 * Returns the statements in the order of sending. Nothing else may use `db` meanwhile. Deferred work of earlier
 * requests, such as the events of refusals, completes first.
 */
export async function sentStatements(db: Db, work: () => Promise<unknown>): Promise<readonly string[]> {
  await untilQuiet(db);
  const sent: string[] = [];
  const note = ({ sql }: { readonly sql: string }) => sent.push(sql);
  db.on('query', note);
  await work().finally(() => db.removeListener('query', note));
  return sent.filter((sql) => !fromTimeToTime.test(sql));
}

/** Waits until no connection has been used or requested for a moment. */
async function untilQuiet({ client: { pool } }: Db): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let usedAt = performance.now();
  while (performance.now() - usedAt < quietMs) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (pool.numUsed() + pool.numPendingAcquires() > 0) usedAt = performance.now();
    if (performance.now() > deadline) throw new Error('connections are in use all the time');
  }
}
