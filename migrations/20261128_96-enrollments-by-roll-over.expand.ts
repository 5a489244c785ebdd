// An undo finds what its roll-over made and ended without a scan of all enrollments.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'enrollment_rolled_over',
    table: 'enrollment',
    on: `(organization_id, opened_by_roll_over, ended_by_roll_over)
      where opened_by_roll_over is not null or ended_by_roll_over is not null`,
  });
}
