// For queries of the first and last enrollment of whole classes and organizations, without reading other students'
// rows.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'enrollment_by_student',
    table: 'enrollment',
    on: '(organization_id, student_id, enrolled_from)',
  });
}
