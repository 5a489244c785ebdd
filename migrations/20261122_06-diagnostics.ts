// Student diagnostics: sessions with the pinned versions, served items, responses, events, and the estimates at the
// finish.
import type { Knex } from 'knex';
import { gradeBands } from '#assessment/content/items/engine/item.ts';
import {
  diagnosticEventTypes,
  diagnosticStatuses,
  estimateStopReasons,
  finishReasons,
} from '#assessment/measurement/enums.ts';
import { seasons } from '#rules/catalogue/engine/catalogue.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await sessions(knex);
  await evidence(knex);
}

async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table diagnostic_session (
      id text,
      organization_id text not null,
      student_id bigint not null,
      status text not null check (${oneOf('status', diagnosticStatuses)}),
      form_code text not null,
      part_index integer not null,
      part_count integer not null,
      grade integer not null check (grade between 1 and 4),
      grade_band text not null check (${oneOf('grade_band', gradeBands)}),
      season text not null check (${oneOf('season', seasons)}),
      school_year text not null,
      sub_skills text[] not null,
      closed_sub_skills text[] not null default '{}',
      seen_item_ids text[] not null,
      pinned jsonb not null,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      finished_at timestamptz,
      finish_reason text check (${oneOf('finish_reason', finishReasons)}),
      next_form_code text,
      active_ms_used integer not null default 0,
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((status = 'FINISHED') = (finished_at is not null)),
      check ((finished_at is null) = (finish_reason is null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index diagnostic_session_one_open on diagnostic_session (organization_id, student_id)
      where status in ('IN_PROGRESS', 'PAUSED');
    create index diagnostic_session_by_student on diagnostic_session (organization_id, student_id, started_at desc, id desc);
    create index diagnostic_session_expiring on diagnostic_session (expires_at) where status in ('IN_PROGRESS', 'PAUSED');
  `);
  await tenantTable(knex, 'diagnostic_session', ['select', 'insert', 'update']);
  await neverChanges(knex, 'diagnostic_session', [
    'id',
    'organization_id',
    'student_id',
    'created_at',
    'pinned',
    'started_at',
    'school_year',
  ]);
}

async function evidence(knex: Knex): Promise<void> {
  await knex.raw(`
    create table diagnostic_served_item (
      id text not null,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      seq integer not null check (seq >= 1),
      item_id text not null,
      item_version integer not null,
      sub_skill_code text not null,
      difficulty_logit numeric not null,
      selection_tier integer not null check (selection_tier between 1 and 6),
      served_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, session_id, seq, school_year),
      unique (organization_id, session_id, item_id, school_year),
      foreign key (organization_id, session_id, school_year) references diagnostic_session (organization_id, id, school_year)
    ) partition by list (school_year);

    create table diagnostic_response (
      served_item_id text not null,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      seq integer not null,
      selected_option_index integer check (selected_option_index >= 0),
      skipped boolean not null,
      correct boolean not null,
      reported_latency_ms integer not null check (reported_latency_ms >= 0),
      latency_ms integer not null check (latency_ms >= 0),
      option_changes integer not null default 0 check (option_changes between 0 and 50),
      received_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, session_id, seq, school_year),
      check (skipped = (selected_option_index is null)),
      check (not (skipped and correct)),
      foreign key (organization_id, session_id, seq, school_year)
        references diagnostic_served_item (organization_id, session_id, seq, school_year)
    ) partition by list (school_year);

    create table diagnostic_event (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      type text not null check (${oneOf('type', diagnosticEventTypes)}),
      served_item_id text,
      at timestamptz not null,
      duration_ms integer check (duration_ms >= 0),
      received_at timestamptz not null,
      primary key (organization_id, session_id, id, school_year),
      foreign key (organization_id, session_id, school_year) references diagnostic_session (organization_id, id, school_year)
    ) partition by list (school_year);

    create table diagnostic_estimate (
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      sub_skill_code text not null,
      theta numeric,
      se numeric,
      n integer not null check (n >= 0),
      calibration_provisional boolean not null,
      stop_reason text not null check (${oneOf('stop_reason', estimateStopReasons)}),
      rule_version text not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, session_id, sub_skill_code, school_year),
      check ((theta is null) = (se is null)),
      foreign key (organization_id, session_id, school_year) references diagnostic_session (organization_id, id, school_year)
    ) partition by list (school_year);
  `);
  for (const table of ['diagnostic_served_item', 'diagnostic_response', 'diagnostic_event', 'diagnostic_estimate'])
    await yearlyLedger(knex, table);
}
