// Due days of alerts and packets: until when, which stage has come, and who was told. An organization's first daily run by
// rules with due days is kept, because what was open before is counted from it. The tally holds how many messages of one day
// say that something is overdue: to the principals of a school (its id), or to the administrators (`admins`).
import type { Knex } from 'knex';
import { platformRole, runtimeRole } from '#core/platform/db.ts';
import { dueStages } from '#support/rti/engine/due/due-days.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

const dueColumns = ['due_from', 'due_on', 'stage', 'told_stage', 'admins_told'];

export async function up(knex: Knex): Promise<void> {
  for (const table of ['rti_alert', 'decision_packet']) {
    await knex.raw(`
      alter table ${table}
        add column due_from date,
        add column due_on date,
        add column stage text not null default 'opened' check (${oneOf('stage', dueStages)}),
        add column told_stage text not null default 'opened' check (${oneOf('told_stage', dueStages)}),
        add column admins_told boolean not null default false;
      grant update (${dueColumns.join(', ')}) on ${table} to ${runtimeRole}, ${platformRole};
    `);
  }
  await knex.raw(`
    alter table decision_packet
      add column assembled_by bigint,
      add column reviewed_since timestamptz,
      add column deferred_at timestamptz;
    grant update (assembled_by, reviewed_since, deferred_at) on decision_packet to ${runtimeRole}, ${platformRole};
    create table due_start (
      organization_id text primary key references organization,
      first_run_at timestamptz not null
    );
    create table overdue_tally (
      organization_id text not null references organization,
      audience text not null,
      told_on date not null,
      told integer not null check (told > 0),
      primary key (organization_id, audience)
    );
  `);
  await tenantTable(knex, 'due_start', ['select', 'insert']);
  await tenantTable(knex, 'overdue_tally', ['select', 'insert', 'update']);
}
