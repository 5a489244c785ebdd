// The order in which waiting document jobs are served: when each was last started, and whether it pauses between two
// attempts, which does not count as running.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job add column begun_at timestamptz, add column is_paused boolean not null default false;
    grant update (begun_at, is_paused) on report_job to ${runtimeRole}, ${platformRole};
  `);
}
