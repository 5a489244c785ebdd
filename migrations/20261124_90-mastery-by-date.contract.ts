// Leaderboards read mastery events from the index that begins with the student. No query uses the index by date.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index mastery_event_by_date;
    update schema_version set min_app = '0.2.0';
  `);
}
