// Reads of documents about people leave one entry for each person, document and hour, which the index enforces.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, {
    name: 'audit_entry_reads',
    table: 'audit_entry',
    unique: true,
    on: `(organization_id, actor_user_id, entity, entity_id, date_trunc('hour', at at time zone 'UTC')) where action = 'read'`,
  });
}
