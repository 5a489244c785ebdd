// The order in which students were linked to a parent, which is that of the parent's list.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table parent_student add column position bigint generated always as identity');
}
