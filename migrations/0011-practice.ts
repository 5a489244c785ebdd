// Practice: queues with what they pinned and aim at, served items with the hint that came with them, answers.
import type { Knex } from 'knex';
import { appendOnly, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table practice_queue (
      id text primary key,
      organization_id text not null,
      student_id bigint not null,
      diagnostic_session_id text not null,
      status text not null check (status in ('ACTIVE', 'COMPLETED', 'REPLACED')),
      school_year text not null,
      grade_band text not null check (grade_band in ('G12', 'G34')),
      targets jsonb not null,
      closed_sub_skills text[] not null default '{}',
      seen_item_ids text[] not null,
      item_budget integer not null check (item_budget >= 1),
      pinned jsonb not null,
      seeded_at timestamptz not null,
      ended_at timestamptz,
      seq bigint generated always as identity,
      unique (organization_id, id),
      check ((status = 'ACTIVE') = (ended_at is null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id),
      foreign key (organization_id, diagnostic_session_id) references diagnostic_session (organization_id, id)
    );
    create unique index practice_queue_one_active on practice_queue (organization_id, student_id)
      where status = 'ACTIVE';
    create index practice_queue_by_student on practice_queue (organization_id, student_id, seq desc);

    create table practice_served_item (
      id text primary key,
      organization_id text not null,
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
      unique (organization_id, id),
      unique (organization_id, queue_id, seq),
      unique (organization_id, queue_id, item_id),
      check ((hint_pattern_key is null) = (hint_text_ar is null)),
      foreign key (organization_id, queue_id) references practice_queue (organization_id, id)
    );

    create table practice_response (
      served_item_id text primary key,
      organization_id text not null,
      queue_id text not null,
      seq integer not null,
      selected_option_index integer check (selected_option_index >= 0),
      skipped boolean not null,
      correct boolean not null,
      reported_latency_ms integer not null check (reported_latency_ms between 0 and 900000),
      latency_ms integer not null check (latency_ms >= 0),
      option_changes integer not null default 0 check (option_changes between 0 and 50),
      received_at timestamptz not null,
      unique (organization_id, queue_id, seq),
      check (skipped = (selected_option_index is null)),
      check (not (skipped and correct)),
      foreign key (organization_id, served_item_id) references practice_served_item (organization_id, id),
      foreign key (organization_id, queue_id) references practice_queue (organization_id, id)
    );
  `);
  await tenantTable(knex, 'practice_queue', ['select', 'insert', 'update']);
  for (const table of ['practice_served_item', 'practice_response']) {
    await tenantTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
}
