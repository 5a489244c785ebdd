// Growth of the last hours, which is checked each minute.
import type { Knex } from 'knex';
import { concurrentIndex } from './sql/concurrent-index.ts';

export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  await concurrentIndex(knex, { name: 'mastery_event_recorded', table: 'mastery_event', on: '(recorded_at)' });
}
