// Oral reading: assessments and their marks, probes with the resulting trends, and raw signals.
import type { Knex } from 'knex';
import { assessmentStatuses, markKinds, measureCodes, stopReasons } from '#assessment/measurement/enums.ts';
import { seasons } from '#rules/catalogue/engine/catalogue.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await readings(knex);
  await probes(knex);
  await alerts(knex);
}

async function readings(knex: Knex): Promise<void> {
  await knex.raw(`
    create table orf_assessment (
      id text,
      organization_id text not null,
      student_id bigint not null,
      status text not null check (${oneOf('status', assessmentStatuses)}),
      grade integer not null check (grade between 1 and 4),
      season text not null check (${oneOf('season', seasons)}),
      school_year text not null,
      passage_id text not null,
      passages_version integer not null,
      benchmark_key text not null,
      benchmark_version integer not null,
      started_at timestamptz not null,
      stopped_at timestamptz,
      read_on date,
      stop_reason text check (${oneOf('stop_reason', stopReasons)}),
      elapsed_seconds integer check (elapsed_seconds between 1 and 60),
      last_word_index integer check (last_word_index >= -1),
      verdict text,
      wcpm numeric check (wcpm >= 0),
      accuracy numeric check (accuracy between 0 and 1),
      words_attempted integer,
      words_correct integer,
      errors integer check (errors >= 0),
      self_corrections integer check (self_corrections between 0 and words_correct),
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check (num_nulls(stopped_at, read_on, stop_reason, elapsed_seconds, last_word_index, verdict)
        = case when status in ('SCORED', 'INVALID') then 0 else 6 end),
      check (num_nulls(wcpm, words_attempted, words_correct, errors, self_corrections)
        = case when status = 'SCORED' then 0 else 5 end),
      check ((accuracy is null) = (coalesce(words_attempted, 0) = 0)),
      check (words_correct between 0 and words_attempted),
      check (words_correct + errors = words_attempted),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index orf_assessment_one_open on orf_assessment (organization_id, student_id) where status = 'OPEN';
    create index orf_assessment_by_student on orf_assessment (organization_id, student_id, stopped_at);

    create table orf_mark (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      assessment_id text not null,
      word_index integer not null check (word_index >= 0),
      mark text not null check (${oneOf('mark', markKinds)}),
      marked_at timestamptz not null,
      primary key (organization_id, assessment_id, id, school_year),
      foreign key (organization_id, assessment_id, school_year) references orf_assessment (organization_id, id, school_year)
    ) partition by list (school_year);
  `);
  await tenantTable(knex, 'orf_assessment', ['select', 'insert', 'update']);
  await neverChanges(knex, 'orf_assessment', ['id', 'organization_id', 'student_id', 'created_at', 'school_year']);
  await yearlyLedger(knex, 'orf_mark');
}

async function probes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table cbm_probe (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      measure_code text not null check (${oneOf('measure_code', measureCodes)}),
      form_family text not null,
      school_year text not null,
      passage_id text not null,
      administered_on date not null,
      orf_assessment_id text,
      words_attempted integer not null check (words_attempted >= 0),
      errors integer not null check (errors between 0 and words_attempted),
      elapsed_seconds integer not null check (elapsed_seconds between 1 and 60),
      score numeric not null check (score >= 0),
      recorded_at timestamptz not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, orf_assessment_id, school_year),
      foreign key (organization_id, orf_assessment_id) references orf_assessment (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index cbm_probe_by_student on cbm_probe (organization_id, student_id, administered_on, id);

    create table cbm_trend (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      measure_code text not null check (${oneOf('measure_code', measureCodes)}),
      form_family text not null,
      school_year text not null,
      probe_id bigint not null,
      as_of date not null,
      trend_type text not null,
      rule_id text not null,
      aim_slope numeric,
      slope numeric,
      slope_error numeric check (slope_error >= 0),
      decision_week integer check (decision_week >= 1),
      input jsonb not null,
      rule_version text not null,
      rule_versions jsonb not null,
      evaluated_at timestamptz not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, probe_id, school_year),
      check ((slope is null) = (trend_type = 'insufficient_points')),
      check ((slope is null) = (slope_error is null)),
      foreign key (organization_id, probe_id, school_year) references cbm_probe (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index cbm_trend_newest on cbm_trend
      (organization_id, student_id, measure_code, form_family, school_year, id desc);
  `);
  for (const table of ['cbm_probe', 'cbm_trend']) await yearlyLedger(knex, table);
}

async function alerts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table cbm_alert (
      id text,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      measure_code text not null check (${oneOf('measure_code', measureCodes)}),
      kind text not null,
      opened_at timestamptz not null,
      closed_at timestamptz,
      opened_by_trend_id bigint not null,
      closed_by_trend_id bigint,
      closed_in_school_year text,
      trend_type text not null,
      rule_version text not null,
      primary key (organization_id, id),
      check (num_nulls(closed_at, closed_by_trend_id, closed_in_school_year) in (0, 3)),
      foreign key (organization_id, opened_by_trend_id, school_year) references cbm_trend (organization_id, id, school_year),
      foreign key (organization_id, closed_by_trend_id, closed_in_school_year)
        references cbm_trend (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index cbm_alert_one_open on cbm_alert (organization_id, student_id, measure_code, kind)
      where closed_at is null;
    create index cbm_alert_by_opening on cbm_alert (organization_id, opened_at desc, id desc);
    create index cbm_alert_by_student on cbm_alert (organization_id, student_id, opened_at desc, id desc);
  `);
  await tenantTable(knex, 'cbm_alert', ['select', 'insert', 'update']);
  await neverChanges(knex, 'cbm_alert', ['id', 'organization_id', 'student_id', 'created_at']);
}
