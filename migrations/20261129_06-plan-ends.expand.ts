// Until when plans last: the day from which their weeks are counted (none for plans of before, which are counted from their
// start), what the daily run has seen and told of their end, and plans whose provider was left behind in another class. An
// organization's first daily run by rules that know ends is kept, because ends that had passed by then are not told.
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';
import { tenantTable } from './sql/tables.ts';

const changing = ['past_end_since', 'overdue_told_for', 'awaits_provider'];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table bundle_assignment
      add column weeks_from date,
      add column past_end_since date,
      add column overdue_told_for date,
      add column awaits_provider boolean not null default false;
    grant update (${changing.join(', ')}) on bundle_assignment to ${runtimeRole}, ${platformRole};
    create table plan_end_start (
      organization_id text primary key references organization,
      first_run_at timestamptz not null
    );
  `);
  await tenantTable(knex, 'plan_end_start', ['select', 'insert']);
}
