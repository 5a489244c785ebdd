// Which organization was served when, of each queue of rosters, and whether it is served now: of one organization one job of a
// queue is worked at, and next is the organization that was served longest ago. `people_served`: by whom it was asked, in
// seconds of the Unix epoch.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_turn (
      organization_id text not null references organization,
      queue text not null,
      served_at timestamptz not null,
      people_served jsonb not null default '{}',
      held_until timestamptz,
      holder text not null,
      primary key (organization_id, queue)
    );
  `);
  await tenantTable(knex, 'lms_turn');
}
