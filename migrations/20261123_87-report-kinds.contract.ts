// Adds document kinds that were introduced after the job table: older databases allow only the first ones.
import type { Knex } from 'knex';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table report_job drop constraint report_job_kind_check,
      add constraint report_job_kind_check check (${oneOf('kind', ['session_pdf', 'class_report', 'board_report', 'parent_letters'])});
    update schema_version set min_app = '0.2.0';
  `);
}
