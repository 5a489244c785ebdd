// Lessons: a blueprint for a class, its recipients, their responses, and the history of actions.
import type { Knex } from 'knex';
import { deliveryModes, scaffoldTiers } from '#support/interventions/engine/vocabulary.ts';
import { answerWays, closedStates, lessonActions, lessonStates, recipientStates } from '#teaching/lessons/enums.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await sessions(knex);
  await recipients(knex);
  await responses(knex);
  await past(knex);
}

/**
 * The source of a lesson is immutable. Its items and segments are those of the blueprint's version, except removed
 * ones.
 */
const frozen = [
  ...['id', 'organization_id', 'class_id', 'school_year', 'blueprint_id', 'blueprint_version', 'bundle_id', 'step_no'],
  ...['session_role', 'scaffold_tier', 'planned_minutes', 'created_by', 'created_at'],
];

/** Bundles, roles and codes are values of rule documents. */
async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table teaching_session (
      id text,
      organization_id text not null,
      class_id bigint not null,
      school_year text not null,
      blueprint_id text not null,
      blueprint_version integer not null check (blueprint_version >= 1),
      bundle_id text not null,
      step_no integer not null check (step_no >= 1),
      session_role text not null,
      scaffold_tier text check (${oneOf('scaffold_tier', scaffoldTiers)}),
      planned_minutes integer not null check (planned_minutes >= 1),
      delivery_mode text not null check (${oneOf('delivery_mode', deliveryModes)}),
      state text not null check (${oneOf('state', lessonStates)}),
      scheduled_on date,
      removed_item_refs text[] not null default '{}',
      segment_order integer[] not null,
      distributed_at timestamptz,
      delivered_on date,
      cancel_reason_code text,
      closed_at timestamptz,
      created_by bigint not null,
      created_at timestamptz not null,
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((${oneOf('state', closedStates)}) = (closed_at is not null)),
      check ((state = 'delivered') = (delivered_on is not null)),
      check ((state = 'cancelled') = (cancel_reason_code is not null)),
      check (state <> 'distributed' or distributed_at is not null),
      check (distributed_at is null or state not in ('draft', 'accepted')),
      foreign key (organization_id, class_id) references class (organization_id, id)
    );
    create index teaching_session_by_class on teaching_session (organization_id, class_id, created_at desc, id desc);
  `);
  await tenantTable(knex, 'teaching_session', ['select', 'insert', 'update']);
  await neverChanges(knex, 'teaching_session', frozen);
  await neverRemoved(knex, 'teaching_session');
}

/**
 * `present`: known once the lesson was given. `facts`: the input of the rules, for replays. The index finds the open
 * lessons of a student.
 */
async function recipients(knex: Knex): Promise<void> {
  await knex.raw(`
    create table session_recipient (
      organization_id text not null,
      session_id text not null,
      student_id bigint not null,
      state text not null check (${oneOf('state', recipientStates)}),
      rule_id text,
      rule_version text,
      reason_code text,
      override_code text,
      present boolean,
      decided_at timestamptz not null,
      facts jsonb check (facts is null or rule_id is not null),
      primary key (organization_id, session_id, student_id),
      check ((rule_id is null) = (rule_version is null)),
      check (state <> 'excluded' or (reason_code is not null and override_code is null and present is null)),
      foreign key (organization_id, session_id) references teaching_session (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index session_recipient_by_student on session_recipient (organization_id, student_id, session_id)
      where state = 'included';
  `);
  await tenantTable(knex, 'session_recipient', ['select', 'insert', 'update']);
  await neverChanges(knex, 'session_recipient', ['organization_id', 'session_id', 'student_id']);
  await neverRemoved(knex, 'session_recipient');
}

/** The first response of a student to an item. Responses are in the school year of their lesson. */
async function responses(knex: Knex): Promise<void> {
  await knex.raw(`
    create table session_response (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      student_id bigint not null,
      client_response_id uuid not null,
      item_ref text not null,
      sub_skill_code text not null,
      task_type text not null,
      selected_option_index integer not null check (selected_option_index >= 0),
      correct boolean not null,
      support_used boolean not null,
      way text not null check (${oneOf('way', answerWays)}),
      sent_by bigint not null,
      received_at timestamptz not null,
      primary key (organization_id, id, school_year),
      constraint session_response_once unique (organization_id, session_id, client_response_id, school_year),
      constraint session_response_first unique (organization_id, session_id, student_id, item_ref, school_year),
      foreign key (organization_id, session_id, school_year)
        references teaching_session (organization_id, id, school_year),
      foreign key (organization_id, session_id, student_id)
        references session_recipient (organization_id, session_id, student_id)
    ) partition by list (school_year);
    create index session_response_by_student on session_response (organization_id, student_id, received_at);
  `);
  await yearlyLedger(knex, 'session_response');
}

/** `actor_user_id` is null for actions of the service. */
async function past(knex: Knex): Promise<void> {
  await knex.raw(`
    create table session_audit (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      session_id text not null,
      at timestamptz not null,
      actor_user_id bigint,
      action text not null check (${oneOf('action', lessonActions)}),
      changed_fields text[] not null,
      primary key (organization_id, id, school_year),
      foreign key (organization_id, session_id, school_year)
        references teaching_session (organization_id, id, school_year)
    ) partition by list (school_year);
    create index session_audit_of_session on session_audit (organization_id, session_id, id);
  `);
  await yearlyLedger(knex, 'session_audit');
}
