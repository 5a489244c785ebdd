// Folds the names of people who were there before, while the table is written to.
import type { Knex } from 'knex';
import { inBatches } from './sql/batches.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await inBatches(
    knex,
    `update app_user u set name_folded = '' from (
       select organization_id, id from app_user where name_folded is null
       order by organization_id, id limit ?) unfolded
     where u.organization_id = unfolded.organization_id and u.id = unfolded.id`,
  );
}
