// A probe may have several trends: a correction of evidence gives its series another one. Until this has run, evidence of
// a series whose newest probe has a trend cannot be voided.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table cbm_trend drop constraint cbm_trend_organization_id_probe_id_school_year_key;
    update schema_version set min_app = '0.2.0';
  `);
}
