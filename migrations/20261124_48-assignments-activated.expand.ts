// Assignments of the last hours, which are checked each minute.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'bundle_assignment_activated',
    table: 'bundle_assignment',
    on: '(activated_at)',
  });
}
