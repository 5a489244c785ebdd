// Who asked for a sync by hand: what it changes is on record under that person.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table lms_sync_run add column asked_by bigint');
}
