// Documents that workers render: requests and files. A file is deleted when its period has passed or a person whom it
// names is erased. The job is kept longer.
import type { Knex } from 'knex';
import { reportFailures, reportStates } from '#messaging/documents/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

/** The request and its author are immutable. */
const frozen = [
  'id',
  'organization_id',
  'kind',
  'subject',
  'input',
  'content_key',
  'requested_by',
  'created_at',
  'kept_until',
];

/** A job is leased for a time, with a token that grows with each lease. A file belongs to one job and is immutable. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table report_job (
      organization_id text not null references organization,
      id text,
      kind text not null check (${oneOf('kind', ['session_pdf', 'class_report', 'board_report', 'parent_letters'])}),
      subject text not null,
      input jsonb not null,
      content_key text not null,
      requested_by bigint not null,
      state text not null check (${oneOf('state', reportStates)}),
      done integer not null default 0,
      total integer not null check (total >= 1 and done between 0 and total),
      attempts integer not null default 0,
      token bigint not null default 0,
      held_until timestamptz,
      failure_code text check (${oneOf('failure_code', reportFailures)}),
      created_at timestamptz not null,
      finished_at timestamptz,
      expires_at timestamptz,
      kept_until timestamptz not null,
      primary key (organization_id, id),
      check ((state in ('queued', 'running')) = (finished_at is null)),
      check ((state in ('done', 'expired')) = (expires_at is not null)),
      check ((state = 'failed') = (failure_code is not null)),
      check (state <> 'done' or done = total)
    );
    create unique index report_job_one_of_content on report_job (organization_id, kind, content_key)
      where state in ('queued', 'running', 'done');
    create index report_job_open on report_job (created_at) where state in ('queued', 'running');
    create index report_job_of_subject on report_job (organization_id, subject, kind, created_at);
    create index report_job_kept on report_job (kept_until);

    create table report_file (
      organization_id text not null,
      job_id text,
      bytes bytea not null,
      content_type text not null,
      file_name text not null,
      expires_at timestamptz not null,
      primary key (organization_id, job_id),
      foreign key (organization_id, job_id) references report_job (organization_id, id) on delete cascade
    );
    create index report_file_expiring on report_file (expires_at);

    create table report_file_student (
      organization_id text not null,
      job_id text not null,
      student_id bigint not null,
      primary key (organization_id, job_id, student_id),
      foreign key (organization_id, job_id) references report_file (organization_id, job_id) on delete cascade
    );
    create index report_file_by_student on report_file_student (organization_id, student_id);
  `);
  await tenantTable(knex, 'report_job');
  await neverChanges(knex, 'report_job', frozen);
  for (const table of ['report_file', 'report_file_student'])
    await tenantTable(knex, table, ['select', 'insert', 'delete']);
}
