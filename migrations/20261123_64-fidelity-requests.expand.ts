// Assignments that are to be counted again, until the count is done.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table fidelity_request (
      organization_id text not null,
      assignment_id text not null,
      student_id bigint not null,
      requested_seq integer not null check (requested_seq >= 1),
      processed_seq integer not null default 0 check (processed_seq between 0 and requested_seq),
      requested_at timestamptz not null,
      attempts integer not null default 0 check (attempts >= 0),
      primary key (organization_id, assignment_id),
      foreign key (organization_id, assignment_id) references bundle_assignment (organization_id, id)
    );
    create index fidelity_request_waiting on fidelity_request (requested_at) where requested_seq > processed_seq;
    create index fidelity_request_by_student on fidelity_request (organization_id, student_id);
  `);
  await tenantTable(knex, 'fidelity_request', ['select', 'insert', 'update']);
}
