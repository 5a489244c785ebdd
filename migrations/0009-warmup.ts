// Warm-ups of one minute: the session with what it pinned, the planned items, and what happened in it.
import type { Knex } from 'knex';
import { appendOnly, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table warmup_session (
      id text primary key,
      organization_id text not null,
      student_id bigint not null,
      session_type text not null check (session_type in ('TRAINING', 'INTERVENTION_PRACTICE')),
      status text not null check (status in ('RUNNING', 'PAUSED', 'COMPLETED', 'ENDED_EARLY', 'EXPIRED')),
      school_year text not null,
      pinned jsonb not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      completed_at timestamptz,
      answered integer check (answered >= 0),
      running_ms integer check (running_ms >= 0),
      last_at_ms integer check (last_at_ms between 0 and 60000),
      unique (organization_id, id),
      check ((status in ('COMPLETED', 'ENDED_EARLY')) = (completed_at is not null)),
      check (num_nonnulls(completed_at, answered, running_ms, last_at_ms) in (0, 4)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index warmup_session_one_open on warmup_session (organization_id, student_id)
      where status in ('RUNNING', 'PAUSED');
    create index warmup_session_by_student on warmup_session (organization_id, student_id, school_year, started_at, id);

    create table warmup_item (
      id text primary key,
      organization_id text not null,
      session_id text not null,
      seq integer not null check (seq >= 1),
      item_id text not null,
      item_version integer not null,
      sub_skill_code text not null,
      difficulty_logit numeric not null,
      unique (organization_id, session_id, seq),
      unique (organization_id, session_id, item_id),
      foreign key (organization_id, session_id) references warmup_session (organization_id, id)
    );

    create table warmup_event (
      id bigint generated always as identity primary key,
      organization_id text not null,
      session_id text not null,
      seq integer check (seq >= 1),
      type text not null check (type in ('answer', 'skip', 'pause', 'resume')),
      at_ms integer check (at_ms between 0 and 60000),
      item_id text,
      selected_option_index integer check (selected_option_index >= 0),
      correct boolean,
      received_at timestamptz not null,
      unique (organization_id, session_id, seq),
      check ((seq is null) = (at_ms is null)),
      check (seq is not null or type = 'resume'),
      check (type <> 'answer' or item_id is not null),
      check ((type = 'answer') = (selected_option_index is not null)),
      check ((type = 'answer') = (correct is not null)),
      foreign key (organization_id, session_id) references warmup_session (organization_id, id),
      foreign key (organization_id, session_id, item_id) references warmup_item (organization_id, session_id, item_id)
    );
    create index warmup_event_by_session on warmup_event (organization_id, session_id, id);
  `);
  await tenantTable(knex, 'warmup_session', ['select', 'insert', 'update']);
  for (const table of ['warmup_item', 'warmup_event']) {
    await tenantTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
}
