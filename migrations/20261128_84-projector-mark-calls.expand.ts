// How many requests have marked slots of a projector run. Each is an audited change of the run.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table live_projector_run add column mark_calls integer not null default 0;
    grant update (mark_calls) on live_projector_run to ${runtimeRole}, ${platformRole};
  `);
}
