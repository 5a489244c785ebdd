// For each roster queue, when an organization was last served and whether one of its jobs is running. One job of an
// organization runs at a time, and the next one is of the organization that was served longest ago. `people_served`:
// requesting user → seconds of the Unix epoch.
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
