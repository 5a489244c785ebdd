// The statements that a process sends while something is done, for tests of how many there are.
import type { Db } from '../../../src/platform/db.ts';

/** Which rules are in force is asked from time to time, and limits are told to the store, whatever is being done. */
const fromTimeToTime = /rule_activation|rate_limit/;

interface Sent {
  readonly sql: string;
  /** Of the transaction. */
  readonly __knexTxId?: string;
}

/**
 * In the order in which they were sent; nothing else may begin on `db` meanwhile. What goes on in a transaction that had begun
 * before, as that of an event which a refusal left behind, is no part of the work.
 */
export async function sentStatements(db: Db, work: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = [];
  const begun = new Set<string>();
  const note = ({ sql, __knexTxId: transaction }: Sent) => {
    if (transaction !== undefined && /^begin\b/i.test(sql)) begun.add(transaction);
    if (transaction === undefined || begun.has(transaction)) sent.push(sql);
  };
  db.on('query', note);
  await work().finally(() => db.removeListener('query', note));
  return sent.filter((sql) => !fromTimeToTime.test(sql));
}
