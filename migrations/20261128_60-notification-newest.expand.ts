// A notification that is said again in the same words within a minute keeps its row, which from now on shows the payload of what
// has happened last, by the rules that it was said by.
import type { Knex } from 'knex';
import { onlyChanges } from './sql/changeable.ts';

const changeable = ['delivery_state', 'count', 'read_at', 'dismissed_at', 'payload', 'rule_versions'];

export async function up(knex: Knex): Promise<void> {
  await onlyChanges(knex, 'notification', changeable);
}
