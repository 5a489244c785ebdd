// The statements that a process sends while something is done, for tests of how many there are.
import type { Db } from '../../../src/platform/db.ts';

/** Which rules are in force is asked from time to time, and limits are told to the store, whatever is being done. */
const fromTimeToTime = /rule_activation|rate_limit/;

/** In the order in which they were sent; nothing else may use `db` meanwhile. */
export async function sentStatements(db: Db, work: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = [];
  const note = ({ sql }: { readonly sql: string }) => sent.push(sql);
  db.on('query', note);
  await work().finally(() => db.removeListener('query', note));
  return sent.filter((sql) => !fromTimeToTime.test(sql));
}
