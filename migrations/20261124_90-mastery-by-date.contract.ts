// Leaderboards read mastery events from the index that is led by the student; nothing asks for those of a day.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index mastery_event_by_date;
    update schema_version set min_app = '0.2.0';
  `);
}
