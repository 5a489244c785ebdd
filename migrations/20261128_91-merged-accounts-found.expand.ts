// Reads of a student also find the accounts that were merged into theirs; such accounts are few.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'app_user_merged_into',
    table: 'app_user',
    on: '(organization_id, merged_into_id) where merged_into_id is not null',
  });
}
