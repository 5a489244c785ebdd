// A process that is stopped in the middle of its transaction: it waits for a table that somebody else holds.
import type { Db } from '#core/platform/db.ts';
import { eventually } from '../world.ts';

/** `work` is done while another transaction waits for the table; until then nobody writes it. */
export async function whileWaitingFor(
  owner: Db,
  table: string,
  { begin, patienceMs, work }: { begin: () => Promise<void>; patienceMs: number; work: () => Promise<void> },
): Promise<void> {
  const blocker = await owner.transaction();
  try {
    await blocker.raw('lock table ?? in exclusive mode', [table]);
    await begin();
    await eventually('somebody waits inside a transaction', patienceMs, async () => {
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
