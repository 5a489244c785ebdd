// The order in which children were linked to a parent: the list of children keeps it.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table parent_student add column position bigint generated always as identity');
}
