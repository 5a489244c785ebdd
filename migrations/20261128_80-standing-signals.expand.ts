// An open signal of a student has one row: a raised hand stays until the teacher continues, which raises the version of
// the control. Older rows have none and are closed.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table live_client_event add column control_version integer');
}
