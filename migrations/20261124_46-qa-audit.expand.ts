// Counts of the last QA audit of an organization, and requests for another one.
import type { Knex } from 'knex';
import { platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table qa_audit (
      organization_id text not null references organization,
      as_of timestamptz not null,
      rule_version text not null,
      counts jsonb not null check (jsonb_typeof(counts) = 'object'),
      primary key (organization_id)
    );
    create table qa_audit_request (
      subject text primary key,
      requested_at timestamptz not null,
      served_at timestamptz
    );
    create index qa_audit_request_open on qa_audit_request (requested_at) where served_at is null;
  `);
  await tenantTable(knex, 'qa_audit', ['select', 'insert', 'update']);
  await platformTable(knex, 'qa_audit_request', ['select', 'insert', 'update']);
}
