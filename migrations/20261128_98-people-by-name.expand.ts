// Lists of people in the order of their folded names. The names were folded before, so that folding need not write the index.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'app_user_by_name',
    table: 'app_user',
    on: '(organization_id, name_folded, id)',
  });
}
