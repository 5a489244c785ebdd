// A notification that is repeated in the same words within a minute keeps its row, which then has the payload and the
// rule versions of the newest event.
import type { Knex } from 'knex';
import { onlyChanges } from './sql/changeable.ts';

const changeable = ['delivery_state', 'count', 'read_at', 'dismissed_at', 'payload', 'rule_versions'];

export async function up(knex: Knex): Promise<void> {
  await onlyChanges(knex, 'notification', changeable);
}
