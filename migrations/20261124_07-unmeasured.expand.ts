// Number of students of a class who were not measured when it was counted for a release. It follows from the published
// coverage, so the organization, which is counted later, is protected against readers who know it.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table aggregate_count add column unmeasured integer not null default 0;
    alter table aggregate_count add constraint aggregate_count_unmeasured check (unmeasured >= 0) not valid;
  `);
}
