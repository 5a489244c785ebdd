// How many times users have resolved rows of a preview.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table lms_preview add column resolutions integer not null default 0');
}
