// Document kinds are those that capabilities declare. The service refuses others, and a new one needs no migration.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job drop constraint report_job_kind_check;
    update schema_version set min_app = '0.2.0';
  `);
}
