// Stops a process in the middle of its transaction: it waits for a table that another transaction has locked.
import type { Db } from '#core/platform/db.ts';
import { eventually } from '../world.ts';

/** Runs `work` while another transaction waits for the table, which is not written meanwhile. */
export async function whileWaitingFor(
  owner: Db,
  table: string,
  { begin, timeoutMs, work }: { begin: () => Promise<void>; timeoutMs: number; work: () => Promise<void> },
): Promise<void> {
  const blocker = await owner.transaction();
  try {
    await blocker.raw('lock table ?? in exclusive mode', [table]);
    await begin();
    await eventually('another process waits inside its transaction', timeoutMs, async () => {
      const { rows } = await owner.raw(
        `select from pg_locks where relation = ?::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        [table],
      );
      return rows.length > 0;
    });
    await work();
  } finally {
    await blocker.rollback();
  }
}
