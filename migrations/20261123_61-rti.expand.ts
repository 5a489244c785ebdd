// Support tiers and the decisions behind them, states of sub-skills, alerts, and their evaluations.
import type { Knex } from 'knex';
import { skillStatuses } from '#assessment/skill-status/engine/vocabulary.ts';
import { lockingRows } from '#core/platform/locks.ts';
import { supportTiers } from '#support/interventions/engine/vocabulary.ts';
import {
  alertStates,
  closeReasons,
  rtiAlertKinds,
  skillStates,
  tierDecisions,
} from '#support/rti/engine/vocabulary.ts';
import { movementSources } from '#support/rti/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await movements(knex);
  await alerts(knex);
  await decisions(knex);
  await measurements(knex);
  await states(knex);
  await evaluations(knex);
  await cursors(knex);
  await requests(knex);
}

const tierIn = (column: string): string => oneOf(column, supportTiers.map(String)).replaceAll("'", '');

/** A student without a row has been in the first tier since the first enrollment. */
async function movements(knex: Knex): Promise<void> {
  await knex.raw(`
    create table tier_movement (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      from_tier integer not null check (${tierIn('from_tier')}),
      to_tier integer not null check (${tierIn('to_tier')}),
      effective_on date not null,
      source_type text not null check (${oneOf('source_type', movementSources)}),
      source_id text not null,
      decided_by bigint not null,
      committed_at timestamptz not null,
      rule_versions jsonb not null,
      primary key (organization_id, id, school_year),
      check (abs(to_tier - from_tier) = 1),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    ) partition by list (school_year);
    create index tier_movement_by_student on tier_movement (organization_id, student_id, id desc);

    create function guard_tier_movement() returns trigger language plpgsql as $$
    declare before record;
    begin
      perform from student_support s
        where s.organization_id = new.organization_id and s.student_id = new.student_id ${lockingRows('support', 'change')};
      select m.to_tier, m.effective_on into before from tier_movement m
        where m.organization_id = new.organization_id and m.student_id = new.student_id order by m.id desc limit 1;
      if new.from_tier <> coalesce(before.to_tier, ${supportTiers[0]}) then
        raise exception 'a movement begins where the newest one has led' using errcode = 'restrict_violation';
      end if;
      if new.effective_on < before.effective_on then
        raise exception 'a movement takes effect after the newest one' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger tier_movement_follows before insert on tier_movement
      for each row execute function guard_tier_movement();
  `);
  await yearlyLedger(knex, 'tier_movement');
}

/** The columns of an alert that never change. */
const frozenOfAlerts = ['id', 'organization_id', 'student_id', 'kind', 'sub_skill_code'];

/**
 * `opened` is the input of the evaluation that opened the alert. The input that opened an acute alert is in one of
 * `acute_…` and opens no other one. `closing_decision` is the code of the decision that closed it.
 */
async function alerts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rti_alert (
      id text,
      organization_id text not null,
      student_id bigint not null,
      kind text not null check (${oneOf('kind', rtiAlertKinds)}),
      severity integer not null check (severity >= 1),
      state text not null check (${oneOf('state', alertStates)}),
      rule_id text not null,
      sub_skill_code text,
      domain_code text,
      acute_snapshot_id bigint,
      acute_signal_id text,
      opened_at timestamptz not null,
      opened_on date not null,
      due_at timestamptz,
      acknowledged_at timestamptz,
      acknowledged_by bigint,
      dismissed_at timestamptz,
      dismissed_by bigint,
      dismissal_code text,
      expires_on date,
      expiry_told boolean not null default false,
      closed_at timestamptz,
      closed_on date,
      close_reason text check (${oneOf('close_reason', closeReasons)}),
      closing_decision text check (${oneOf('closing_decision', tierDecisions)}),
      opened jsonb not null,
      rule_versions jsonb not null,
      primary key (organization_id, id),
      check ((sub_skill_code is null) = (domain_code is null)),
      check ((acknowledged_at is null) = (acknowledged_by is null)),
      check (num_nulls(dismissed_at, dismissed_by, dismissal_code) in (0, 3)),
      check (state <> 'dismissed' or (dismissed_at is not null and expires_on is not null)),
      check (state <> 'open' or expires_on is null),
      check (num_nulls(closed_at, closed_on, close_reason) = case when state = 'closed' then 0 else 3 end),
      check ((closing_decision is not null) = (close_reason is not distinct from 'decision_committed')),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    );
    create unique index rti_alert_one_open on rti_alert (organization_id, student_id) where state = 'open';
    create index rti_alert_by_student on rti_alert (organization_id, student_id, opened_at desc, id desc);
    create index rti_alert_dismissed on rti_alert (organization_id, expires_on) where state = 'dismissed';

    create function guard_closed_alert() returns trigger language plpgsql as $$
    begin
      raise exception 'a closed alert stays as it is' using errcode = 'restrict_violation';
    end $$;
    create trigger rti_alert_closed before update on rti_alert
      for each row when (old.state = 'closed') execute function guard_closed_alert();
  `);
  await tenantTable(knex, 'rti_alert', ['select', 'insert', 'update']);
  await neverChanges(knex, 'rti_alert', frozenOfAlerts);
  await neverRemoved(knex, 'rti_alert');
}

/**
 * `recommendation` as it was returned at that time, and `facts`, its input. A decision of a packet has no
 * recommendation that was requested by id.
 */
async function decisions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rti_decision (
      id text,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      recommendation_id text,
      decision text not null check (${oneOf('decision', tierDecisions)}),
      recommended_decision text not null check (${oneOf('recommended_decision', tierDecisions)}),
      from_tier integer not null check (${tierIn('from_tier')}),
      to_tier integer not null check (${tierIn('to_tier')}),
      movement_id bigint,
      override_code text,
      effective_on date not null,
      committed_at timestamptz not null,
      decided_by bigint not null,
      packet_id text,
      closed_alert_id text,
      recommendation jsonb not null,
      facts jsonb not null,
      rule_versions jsonb not null,
      seq bigint generated always as identity,
      primary key (organization_id, id, school_year),
      check ((from_tier <> to_tier) = (movement_id is not null)),
      check ((decision in ('escalate', 'de_escalate')) = (movement_id is not null)),
      check (recommendation_id is not null or packet_id is not null),
      foreign key (organization_id, movement_id, school_year) references tier_movement (organization_id, id, school_year),
      foreign key (organization_id, closed_alert_id) references rti_alert (organization_id, id),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    ) partition by list (school_year);
    create index rti_decision_by_student on rti_decision (organization_id, student_id, committed_at desc, id desc);
  `);
  await yearlyLedger(knex, 'rti_decision');
}

/**
 * One row for each student, sub-skill and session that was the newest of a decided snapshot (51 §4.1): `status` and
 * `snapshot_id` belong to the last such snapshot, `first_snapshot_id` to the first one. Derived from the snapshots, so
 * it can be rebuilt.
 */
async function measurements(knex: Knex): Promise<void> {
  await knex.raw(`
    create table skill_measurement (
      organization_id text not null,
      student_id bigint not null,
      sub_skill_code text not null,
      session_id text not null,
      ended_at timestamptz not null,
      ended_on date not null,
      status text not null check (${oneOf('status', skillStatuses)}),
      first_snapshot_id bigint not null,
      snapshot_id bigint not null check (snapshot_id >= first_snapshot_id),
      primary key (organization_id, student_id, sub_skill_code, session_id),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    );
    create index skill_measurement_newest on skill_measurement
      (organization_id, student_id, sub_skill_code, ended_at desc, session_id desc);
  `);
  await tenantTable(knex, 'skill_measurement', ['select', 'insert', 'update']);
}

/** Only changes are stored. */
async function states(knex: Knex): Promise<void> {
  await knex.raw(`
    create table skill_state (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      sub_skill_code text not null,
      from_state text check (${oneOf('from_state', skillStates)}),
      state text not null check (${oneOf('state', skillStates)}),
      rule_id text not null,
      snapshot_id bigint not null,
      decided_at timestamptz not null,
      decided_on date not null,
      facts jsonb not null,
      rule_versions jsonb not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, student_id, sub_skill_code, snapshot_id, school_year),
      check (from_state is distinct from state),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    ) partition by list (school_year);
    create index skill_state_newest on skill_state (organization_id, student_id, sub_skill_code, id desc);
  `);
  await yearlyLedger(knex, 'skill_state');
}

/** Stored when something changed or a candidate was suppressed. `transitions` follow from `input` and the rules. */
async function evaluations(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rti_evaluation (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      evaluated_at timestamptz not null,
      rule_id text not null,
      suppressed_kind text check (${oneOf('suppressed_kind', rtiAlertKinds)}),
      open_alert_id text,
      transitions jsonb not null,
      input jsonb not null,
      rule_versions jsonb not null,
      primary key (organization_id, id, school_year),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    ) partition by list (school_year);
    create index rti_evaluation_by_student on rti_evaluation (organization_id, student_id, id desc);
  `);
  await yearlyLedger(knex, 'rti_evaluation');
}

/** Up to which snapshot the states of a student's sub-skills were updated. */
async function cursors(knex: Knex): Promise<void> {
  await knex.raw(`
    create table skill_state_cursor (
      organization_id text not null,
      student_id bigint not null,
      snapshot_id bigint not null check (snapshot_id >= 0),
      primary key (organization_id, student_id),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    );
  `);
  await tenantTable(knex, 'skill_state_cursor', ['select', 'insert', 'update']);
}

/** One mutable row for each student: how often an evaluation was requested, and up to which request it was made. */
async function requests(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rti_evaluation_request (
      organization_id text not null,
      student_id bigint not null,
      requested_seq integer not null check (requested_seq >= 1),
      processed_seq integer not null default 0 check (processed_seq between 0 and requested_seq),
      requested_at timestamptz not null,
      attempts integer not null default 0 check (attempts >= 0),
      last_error text,
      next_try_at timestamptz,
      parked_at timestamptz,
      primary key (organization_id, student_id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index rti_evaluation_request_waiting on rti_evaluation_request (requested_at)
      where requested_seq > processed_seq;
  `);
  await tenantTable(knex, 'rti_evaluation_request', ['select', 'insert', 'update']);
}
