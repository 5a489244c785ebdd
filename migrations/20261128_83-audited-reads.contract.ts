// The record of changes takes reads, too. A process of the release before would answer an entry of one with an error; until
// this has run the service records none, which it sees by the name of the constraint.
import type { Knex } from 'knex';
import { auditActions } from '#identity/audit/enums.ts';
import { oneOf } from './sql/enums.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table audit_entry drop constraint audit_entry_action_check;
    alter table audit_entry add constraint audit_entry_action check (${oneOf('action', auditActions)}) not valid;
    alter table audit_entry validate constraint audit_entry_action;
    update schema_version set min_app = '0.2.0';
  `);
}
