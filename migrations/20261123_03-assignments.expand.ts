// Assignments of bundles to students with their steps, the delivered sessions, and drafts of a teacher for a class.
import type { Knex } from 'knex';
import {
  assignmentSources,
  completionResults,
  deliverySources,
  endedStates,
} from '#support/interventions/assignment-rows/enums.ts';
import {
  assignmentStates,
  deliveryModes,
  objectTypes,
  openStates,
  scaffoldTiers,
  trackStatuses,
} from '#support/interventions/engine/vocabulary.ts';
import { audited } from './sql/audit.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await assignments(knex);
  await deliveries(knex);
  await drafts(knex);
}

/** The state of a row changes. What it was created with is immutable. */
const frozen = [
  ...['id', 'organization_id', 'student_id', 'school_year', 'bundle_id', 'catalogue_version', 'object_type'],
  ...['delivery_mode', 'start_on', 'sessions_per_week', 'anchor_role', 'anchor_sub_skill_code'],
  ...['source_type', 'cluster_key', 'generation_id', 'recommendation', 'facts', 'override_code'],
  ...['activated_by', 'activated_at', 'rule_versions'],
];

/** Bundles, roles and codes are values of rule documents. */
async function assignments(knex: Knex): Promise<void> {
  await knex.raw(`
    create table bundle_assignment (
      id text,
      organization_id text not null,
      student_id bigint not null,
      class_id bigint not null,
      school_year text not null,
      bundle_id text not null,
      catalogue_version integer not null,
      object_type text not null check (${oneOf('object_type', objectTypes)}),
      state text not null check (${oneOf('state', assignmentStates)}),
      track_status text not null check (${oneOf('track_status', trackStatuses)}),
      scaffold_tier text not null check (${oneOf('scaffold_tier', scaffoldTiers)}),
      delivery_mode text not null check (${oneOf('delivery_mode', deliveryModes)}),
      start_on date not null,
      planned_weeks integer not null check (planned_weeks >= 1),
      sessions_per_week integer not null check (sessions_per_week >= 1),
      steps jsonb not null,
      current_step_no integer check (current_step_no >= 1),
      completion_result text check (${oneOf('completion_result', completionResults)}),
      ended_on date,
      reason_code text,
      pauses jsonb not null default '[]',
      extensions integer not null default 0 check (extensions >= 0),
      off_track_acknowledged_at timestamptz,
      anchor_role text,
      anchor_sub_skill_code text,
      source_type text not null check (${oneOf('source_type', assignmentSources)}),
      cluster_key text,
      generation_id text,
      recommendation jsonb not null,
      facts jsonb not null,
      override_code text,
      move_override_code text,
      provider_user_id bigint not null,
      activated_by bigint not null,
      activated_at timestamptz not null,
      rule_versions jsonb not null,
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((${oneOf('state', endedStates)}) = (ended_on is not null)),
      check ((state = 'completed') = (completion_result is not null)),
      check ((state = 'completed') = (current_step_no is null)),
      check (state <> 'paused' or reason_code is not null),
      check (state = 'active' or track_status = 'not_applicable'),
      check (num_nonnulls(cluster_key, generation_id) = case when source_type = 'cluster' then 2 else 0 end),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id),
      foreign key (organization_id, class_id) references class (organization_id, id)
    );
    create unique index bundle_assignment_one_open on bundle_assignment (organization_id, student_id, bundle_id)
      where ${oneOf('state', openStates)};
    create index bundle_assignment_by_student on bundle_assignment
      (organization_id, student_id, activated_at desc, id desc);
    create index bundle_assignment_by_class on bundle_assignment
      (organization_id, class_id, activated_at desc, id desc);
    create index bundle_assignment_due on bundle_assignment (organization_id, start_on) where state = 'scheduled';
  `);
  await tenantTable(knex, 'bundle_assignment', ['select', 'insert', 'update']);
  await neverChanges(knex, 'bundle_assignment', frozen);
  await audited(knex, 'bundle_assignment', 'student_id', [
    ...['id', 'class_id', 'bundle_id', 'state', 'scaffold_tier', 'planned_weeks', 'extensions'],
    ...['reason_code', 'completion_result', 'override_code', 'move_override_code', 'provider_user_id'],
  ]);
}

/** One for each session and one for each date. Deliveries are in the school year of their assignment. */
async function deliveries(knex: Knex): Promise<void> {
  await knex.raw(`
    create table bundle_delivery (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      assignment_id text not null,
      student_id bigint not null,
      source_type text not null check (${oneOf('source_type', deliverySources)}),
      source_id text not null,
      delivered_on date not null,
      step_no integer not null check (step_no >= 1),
      halted boolean not null,
      responses jsonb not null,
      recorded_at timestamptz not null,
      primary key (organization_id, id, school_year),
      constraint bundle_delivery_of_session unique (organization_id, assignment_id, source_type, source_id, school_year),
      constraint bundle_delivery_of_day unique (organization_id, assignment_id, delivered_on, school_year),
      foreign key (organization_id, assignment_id, school_year)
        references bundle_assignment (organization_id, id, school_year)
    ) partition by list (school_year);
    create index bundle_delivery_by_student on bundle_delivery (organization_id, student_id, delivered_on);
  `);
  await yearlyLedger(knex, 'bundle_delivery');
}

async function drafts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table workflow_draft (
      organization_id text not null,
      teacher_user_id bigint not null,
      class_id bigint not null,
      draft jsonb not null,
      saved_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (organization_id, teacher_user_id, class_id),
      check (expires_at > saved_at),
      foreign key (organization_id, teacher_user_id) references app_user (organization_id, id),
      foreign key (organization_id, class_id) references class (organization_id, id) on delete cascade
    );
    create index workflow_draft_expiry on workflow_draft (organization_id, expires_at);
  `);
  await tenantTable(knex, 'workflow_draft');
}
