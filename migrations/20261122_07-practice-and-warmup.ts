// Practice: queues with pinned versions and targets, served items with their hints, and responses. Warm-ups of one
// minute: the session with pinned versions, the planned items, and the events.
import type { Knex } from 'knex';
import { gradeBands } from '#assessment/content/items/engine/item.ts';
import { queueStatuses, warmupEventTypes, warmupStatuses, warmupTypes } from '#assessment/measurement/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await practice(knex);
  await warmups(knex);
}

async function practice(knex: Knex): Promise<void> {
  await knex.raw(`
    create table practice_queue (
      id text,
      organization_id text not null,
      student_id bigint not null,
      diagnostic_session_id text not null,
      status text not null check (${oneOf('status', queueStatuses)}),
      school_year text not null,
      grade_band text not null check (${oneOf('grade_band', gradeBands)}),
      targets jsonb not null,
      closed_sub_skills text[] not null default '{}',
      seen_item_ids text[] not null,
      item_budget integer not null check (item_budget >= 1),
      pinned jsonb not null,
      seeded_at timestamptz not null,
      ended_at timestamptz,
      seq bigint generated always as identity,
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((status = 'ACTIVE') = (ended_at is null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id),
      foreign key (organization_id, diagnostic_session_id) references diagnostic_session (organization_id, id)
    );
    create unique index practice_queue_one_active on practice_queue (organization_id, student_id)
      where status = 'ACTIVE';
    create index practice_queue_by_student on practice_queue (organization_id, student_id, seq desc);

    create table practice_served_item (
      id text not null,
      organization_id text not null,
      school_year text not null,
      queue_id text not null,
      seq integer not null check (seq >= 1),
      item_id text not null,
      item_version integer not null,
      sub_skill_code text not null,
      difficulty_logit numeric not null,
      calibration_provisional boolean not null,
      selection_tier integer not null check (selection_tier between 1 and 6),
      hint_pattern_key text,
      hint_text_ar text,
      served_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, queue_id, seq, school_year),
      unique (organization_id, queue_id, item_id, school_year),
      check ((hint_pattern_key is null) = (hint_text_ar is null)),
      foreign key (organization_id, queue_id, school_year) references practice_queue (organization_id, id, school_year)
    ) partition by list (school_year);

    create table practice_response (
      served_item_id text not null,
      organization_id text not null,
      school_year text not null,
      queue_id text not null,
      seq integer not null,
      selected_option_index integer check (selected_option_index >= 0),
      skipped boolean not null,
      correct boolean not null,
      reported_latency_ms integer not null check (reported_latency_ms >= 0),
      latency_ms integer not null check (latency_ms >= 0),
      option_changes integer not null default 0 check (option_changes between 0 and 50),
      received_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, queue_id, seq, school_year),
      check (skipped = (selected_option_index is null)),
      check (not (skipped and correct)),
      foreign key (organization_id, queue_id, seq, school_year)
        references practice_served_item (organization_id, queue_id, seq, school_year)
    ) partition by list (school_year);
  `);
  await tenantTable(knex, 'practice_queue', ['select', 'insert', 'update']);
  await neverChanges(knex, 'practice_queue', [
    'id',
    'organization_id',
    'student_id',
    'created_at',
    'pinned',
    'school_year',
  ]);
  for (const table of ['practice_served_item', 'practice_response']) await yearlyLedger(knex, table);
}

async function warmups(knex: Knex): Promise<void> {
  await knex.raw(`
    create table warmup_session (
      id text,
      organization_id text not null,
      student_id bigint not null,
      session_type text not null check (${oneOf('session_type', warmupTypes)}),
      status text not null check (${oneOf('status', warmupStatuses)}),
      school_year text not null,
      pinned jsonb not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      completed_at timestamptz,
      answered integer check (answered >= 0),
      running_ms integer check (running_ms >= 0),
      last_at_ms integer check (last_at_ms >= 0),
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((status in ('COMPLETED', 'ENDED_EARLY')) = (completed_at is not null)),
      check (num_nonnulls(completed_at, answered, running_ms, last_at_ms) in (0, 4)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index warmup_session_one_open on warmup_session (organization_id, student_id)
      where status in ('RUNNING', 'PAUSED');
    create index warmup_session_by_student on warmup_session (organization_id, student_id, school_year, started_at, id);

    create table warmup_item (
      id text not null,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      seq integer not null check (seq >= 1),
      item_id text not null,
      item_version integer not null,
      sub_skill_code text not null,
      difficulty_logit numeric not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, session_id, seq, school_year),
      unique (organization_id, session_id, item_id, school_year),
      foreign key (organization_id, session_id, school_year) references warmup_session (organization_id, id, school_year)
    ) partition by list (school_year);

    create table warmup_event (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      seq integer check (seq >= 1),
      type text not null check (${oneOf('type', warmupEventTypes)}),
      at_ms integer check (at_ms >= 0),
      item_id text,
      selected_option_index integer check (selected_option_index >= 0),
      correct boolean,
      received_at timestamptz not null,
      primary key (organization_id, session_id, id, school_year),
      unique (organization_id, session_id, seq, school_year),
      check ((seq is null) = (at_ms is null)),
      check (seq is not null or type = 'resume'),
      check (type <> 'answer' or item_id is not null),
      check ((type = 'answer') = (selected_option_index is not null)),
      check ((type = 'answer') = (correct is not null)),
      foreign key (organization_id, session_id, school_year) references warmup_session (organization_id, id, school_year),
      foreign key (organization_id, session_id, item_id, school_year)
        references warmup_item (organization_id, session_id, item_id, school_year)
    ) partition by list (school_year);
  `);
  await tenantTable(knex, 'warmup_session', ['select', 'insert', 'update']);
  await neverChanges(knex, 'warmup_session', [
    'id',
    'organization_id',
    'student_id',
    'created_at',
    'pinned',
    'started_at',
    'school_year',
  ]);
  for (const table of ['warmup_item', 'warmup_event']) await yearlyLedger(knex, table);
}
