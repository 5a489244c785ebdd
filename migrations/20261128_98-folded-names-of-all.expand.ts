// Folds the names of people who were there before, in batches, while the table is written to. The index follows, so that
// the batches need not write it.
import type { Knex } from 'knex';
import { platformRole } from '#core/platform/db.ts';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

const batchSize = 500;

export async function up(knex: Knex): Promise<void> {
  while ((await foldBatch(knex)) === batchSize);
  await concurrentIndex(knex, {
    name: 'app_user_by_name',
    table: 'app_user',
    on: '(organization_id, name_folded, id)',
  });
}

/** Folds the next names, whose rows are locked until the batch ends, and returns how many there were. */
const foldBatch = (knex: Knex): Promise<number> =>
  knex.transaction(async (trx) => {
    await trx.raw("select set_config('role', ?, true)", [platformRole]);
    const { rowCount } = await trx.raw(
      `update app_user u set name_folded = '' from (
         select organization_id, id from app_user where name_folded is null
         order by organization_id, id limit ? for update) unfolded
       where u.organization_id = unfolded.organization_id and u.id = unfolded.id`,
      [batchSize],
    );
    return rowCount;
  });
