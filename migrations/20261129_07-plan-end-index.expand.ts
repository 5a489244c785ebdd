// The list of overdue work reads active plans by the first day on which they could have ended.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    ...{ name: 'bundle_assignment_earliest_end', table: 'bundle_assignment' },
    on: "(organization_id, (coalesce(weeks_from, start_on) + (planned_weeks - 1) * 7)) where state = 'active'",
  });
}
