// Repeats a statement until it finds nothing more, each time in a transaction of its own, so that no row stays locked for
// long. It belongs in a migration of its own with `export const config = { transaction: false }`, and can be repeated.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';

const batchSize = 500;

/** `statement` changes at most `?` rows of all organizations, and finds none that it has changed already. */
export async function inBatches(knex: Knex, statement: string): Promise<void> {
  const runOnce = () =>
    knex.transaction(async (trx) => {
      await trx.raw("select set_config('role', ?, true)", [platformRole]);
      const { rowCount } = await trx.raw(statement, [batchSize]);
      return rowCount;
    });
  while ((await runOnce()) > 0);
}
