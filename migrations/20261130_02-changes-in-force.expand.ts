// The entries of a change in the timeline are found by its id.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  for (const table of ['rule_activation', 'rule_schedule']) {
    await concurrentIndex(knex, { name: `${table}_of_change`, table, on: '(change_id) where change_id is not null' });
  }
}
