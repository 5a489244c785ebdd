// Who is served next of those who wait for a document: when each job was begun last, and whether it pauses between two attempts,
// which is no work under way.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job add column begun_at timestamptz, add column is_paused boolean not null default false;
    grant update (begun_at, is_paused) on report_job to ${runtimeRole}, ${platformRole};
  `);
}
