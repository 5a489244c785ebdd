// The list of overdue work reads what is due in the order of its due days.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  for (const table of ['rti_alert', 'decision_packet']) {
    const on = '(organization_id, due_on, id) where due_on is not null';
    await concurrentIndex(knex, { name: `${table}_due_day`, table, on });
  }
}
