// Profiles of students, and one row for each student that every writer about the student's support locks first.
import type { Knex } from 'knex';
import { profileOutcomes } from '#support/interventions/engine/vocabulary.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table student_support (
      organization_id text not null,
      student_id bigint not null,
      primary key (organization_id, student_id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
  `);
  await tenantTable(knex, 'student_support', ['select', 'insert', 'update']);
  await profiles(knex);
}

/** Codes, roles, modifiers and actions are values of rule documents. */
async function profiles(knex: Knex): Promise<void> {
  await knex.raw(`
    create table profile_assignment (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      school_year text not null,
      run_id text not null,
      rule_id text not null,
      profile_code text not null,
      outcome text not null check (${oneOf('outcome', profileOutcomes)}),
      modifiers text[] not null,
      anchor_role text,
      anchor_domain_code text,
      anchor_sub_skill_code text,
      anchor_skill_group text not null,
      next_recommended_data_action text,
      resolved_at timestamptz not null,
      rule_versions jsonb not null,
      facts jsonb not null,
      primary key (organization_id, id, school_year),
      check ((outcome = 'resolved') = (next_recommended_data_action is null)),
      check ((anchor_sub_skill_code is null) = (anchor_domain_code is null)),
      foreign key (organization_id, run_id, school_year) references sse_run (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index profile_assignment_current on profile_assignment
      (organization_id, student_id, school_year, id desc);
    create index profile_assignment_in_order on profile_assignment (organization_id, id);
  `);
  await yearlyLedger(knex, 'profile_assignment');
}
