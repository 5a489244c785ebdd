// For leaderboards: growth of some students in a few days, from the index alone and without reading other students'
// rows.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'mastery_event_by_student_and_date',
    table: 'mastery_event',
    on: '(organization_id, student_id, local_date) include (source_kind)',
  });
}
