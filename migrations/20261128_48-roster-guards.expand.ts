// Conflicts of rows that are in doubt only because of their number, and of ids that were assigned to another person.
import type { Knex } from 'knex';
import { rowReasonCodes } from '#integrations/lms/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table lms_preview_row drop constraint lms_preview_row_reason_code_check;
    alter table lms_preview_row
      add constraint lms_preview_row_reason_code_check check (${oneOf('reason_code', rowReasonCodes)}) not valid;
  `);
}
