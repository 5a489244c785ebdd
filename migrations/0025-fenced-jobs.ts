// Long jobs are held on time, by a token that grows with each holder; and a job may look at the whole platform, with a
// part for each organization.
import type { Knex } from 'knex';
import { appendOnly, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_job alter column organization_id drop not null;
    alter table rule_job add constraint rule_job_place check (organization_id is not null or kind <> 'recompute');
    alter table rule_job rename column failures to attempts;
    alter table rule_job add column token bigint not null default 0;
    alter table rule_job add column held_until timestamptz;

    -- A job over the whole platform has rows in every organization.
    alter table rule_replay_row drop constraint rule_replay_row_organization_id_job_id_fkey;
    create index rule_replay_row_in_order on rule_replay_row (job_id, id);

    create table rule_job_part (
      organization_id text not null references organization,
      job_id text not null,
      part jsonb not null,
      primary key (job_id, organization_id)
    );
  `);
  await tenantTable(knex, 'rule_job_part', ['select', 'insert']);
  await appendOnly(knex, 'rule_job_part');
}
