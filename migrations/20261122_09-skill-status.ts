// Results of the skill-status engine: runs with their pinned input, response codes and tiles, snapshots, and one
// mutable row for each student that requests and coalesces recomputes.
import type { Knex } from 'knex';
import { domainOutcomes, skillOutcomes, triggerKinds } from '#assessment/skill-status/results/enums.ts';
import { platformRole, runtimeRole } from '#core/platform/db.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await runs(knex);
  await skills(knex);
  await domains(knex);
  await requests(knex);
}

async function runs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sse_run (
      id text,
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      trigger text not null check (${oneOf('trigger', triggerKinds)}),
      trigger_ref text,
      as_of timestamptz not null,
      window_from timestamptz not null,
      window_to timestamptz not null,
      grade integer not null check (grade between 1 and 4),
      context_review boolean not null,
      outcome text not null check (${oneOf('outcome', domainOutcomes)}),
      halted boolean not null,
      next_data_action text,
      evaluated_sub_skills text[] not null,
      input json not null,
      input_hash text not null,
      result_hash text not null,
      response_rule_ids text[] not null,
      response_codes text[] not null,
      tiles jsonb not null,
      bundle_id text not null references rule_bundle,
      rule_versions jsonb not null,
      created_at timestamptz not null,
      seq bigint generated always as identity,
      primary key (organization_id, id, school_year),
      check (window_from <= window_to),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index sse_run_latest on sse_run (organization_id, student_id, school_year, seq desc);
    create index sse_run_in_order on sse_run (organization_id, seq);
  `);
  await yearlyLedger(knex, 'sse_run');
  await viewsOfRuns(knex);
}

/** Views with one row for each response and each tile of a run, for queries of the database. */
async function viewsOfRuns(knex: Knex): Promise<void> {
  await knex.raw(`
    create view sse_response_code with (security_invoker=true) as
      select r.organization_id, r.id as run_id, (u.place - 1)::integer as position,
        (u.response ->> 'sessionId') || '/' || (u.response ->> 'itemId') as response_ref,
        u.response ->> 'subSkillCode' as sub_skill_code, r.response_rule_ids[u.place] as rule_id,
        r.response_codes[u.place] as code, 'ADR@' || (r.rule_versions ->> 'adr/adr') as rule_version
      from sse_run r
      cross join lateral json_array_elements(r.input -> 'responses') with ordinality as u (response, place);

    create view sse_macro_snapshot with (security_invoker=true) as
      select r.organization_id, r.id as run_id, t ->> 'tileCode' as tile_code, t ->> 'status' as status,
        (t ->> 'applicable')::boolean as applicable, t ->> 'severePath' as severe_path, r.rule_versions
      from sse_run r cross join lateral jsonb_array_elements(r.tiles) as t;

    grant select on sse_response_code, sse_macro_snapshot to ${runtimeRole}, ${platformRole};
  `);
}

async function skills(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sse_skill_snapshot (
      id bigint generated always as identity,
      organization_id text not null,
      run_id text not null,
      student_id bigint not null,
      school_year text not null,
      sub_skill_code text not null,
      decided_at timestamptz not null,
      facts json not null,
      cis_rule_id text not null,
      pac_rule_id text not null,
      ssr_rule_id text not null,
      pac_decision text not null,
      pac_reason text not null,
      outcome text not null check (${oneOf('outcome', skillOutcomes)}),
      status text,
      confidence text,
      decision_strength text,
      modifiers text[] not null,
      next_data_action text,
      items_needed integer,
      leading_micro_pattern text,
      code_counts json not null,
      newest_unit_ref text,
      calibration_provisional boolean not null,
      rule_version text not null,
      bundle_id text not null,
      primary key (organization_id, id, school_year),
      check ((outcome = 'decided') = (status is not null)),
      check ((status is null) = (confidence is null)),
      check ((status is null) = (decision_strength is null)),
      check ((status is null) = (next_data_action is not null)),
      check ((status is null) = (items_needed is not null)),
      check ((outcome = 'do_not_decide_yet') = (pac_decision = 'do_not_decide_yet')),
      foreign key (organization_id, run_id, school_year) references sse_run (organization_id, id, school_year)
    ) partition by list (school_year);
    create index sse_skill_snapshot_current on sse_skill_snapshot
      (organization_id, student_id, school_year, sub_skill_code, id desc);
  `);
  await yearlyLedger(knex, 'sse_skill_snapshot');
}

async function domains(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sse_domain_snapshot (
      id bigint generated always as identity,
      organization_id text not null,
      run_id text not null,
      student_id bigint not null,
      school_year text not null,
      domain_code text not null,
      decided_at timestamptz not null,
      ddr_rule_id text not null,
      dsm_rule_id text,
      outcome text not null check (${oneOf('outcome', domainOutcomes)}),
      status text,
      reason text,
      next_data_action text,
      in_scope integer not null,
      decided integer not null,
      coverage numeric not null,
      coverage_ok boolean not null,
      raw_weighted_deficit_rate numeric,
      gateway_severity numeric,
      valid_evidence boolean not null,
      tile_value text,
      severe_path text,
      modifiers text[] not null,
      comp_rule_id text,
      comp_pattern text,
      comp_routing_hint text,
      comp_decoding_state text,
      comp_language_state text,
      comp_next_data_action text,
      rule_version text not null,
      bundle_id text not null,
      primary key (organization_id, id, school_year),
      check ((outcome = 'decided') = (status is not null)),
      check ((outcome = 'do_not_decide_yet') = (reason is not null)),
      check ((reason is null) = (next_data_action is null)),
      check ((severe_path is not null) = (tile_value is not distinct from 'Severe')),
      foreign key (organization_id, run_id, school_year) references sse_run (organization_id, id, school_year)
    ) partition by list (school_year);
    create index sse_domain_snapshot_current on sse_domain_snapshot
      (organization_id, student_id, school_year, domain_code, id desc);
  `);
  await yearlyLedger(knex, 'sse_domain_snapshot');
}

/** The bundle of the student's last run, and the number of consecutive failures of a request. */
async function requests(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sse_recompute_request (
      organization_id text not null,
      student_id bigint not null,
      requested_seq integer not null check (requested_seq >= 1),
      processed_seq integer not null default 0 check (processed_seq between 0 and requested_seq),
      trigger text not null,
      trigger_ref text,
      requested_at timestamptz not null,
      last_error text,
      judged_bundle_id text references rule_bundle,
      judged_at timestamptz,
      attempts integer not null default 0 check (attempts >= 0),
      next_try_at timestamptz,
      parked_at timestamptz,
      primary key (organization_id, student_id),
      constraint sse_recompute_request_judged check ((judged_bundle_id is null) = (judged_at is null)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index sse_recompute_request_waiting on sse_recompute_request (requested_at)
      where requested_seq > processed_seq;
  `);
  await tenantTable(knex, 'sse_recompute_request', ['select', 'insert', 'update']);
}
