// The user who requested a sync manually, under whom its changes are audited.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table lms_sync_run add column asked_by bigint');
}
