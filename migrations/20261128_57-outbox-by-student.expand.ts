// Reads of a student's status look for their events that were not relayed yet: few rows, found without a scan.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'outbox_waiting_of_student',
    table: 'outbox',
    on: `(organization_id, (payload ->> 'studentId')) where relayed_at is null and payload ->> 'studentId' is not null`,
  });
}
