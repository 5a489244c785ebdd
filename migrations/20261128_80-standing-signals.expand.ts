// A signal of a student has one row while it stands: a raised hand until the teacher goes on, which raises the version of the
// control. Rows of before have none, and stand no more.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table live_client_event add column control_version integer');
}
