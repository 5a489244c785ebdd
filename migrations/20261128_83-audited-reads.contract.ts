// The audit log accepts reads. A process of the previous release would fail on such an entry. Until this has run the
// service records no reads, which it detects by the name of the constraint.
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
