// Fidelity of assignments: every count that differs from the previous one, the newest one of each assignment, and
// missed sessions.
import type { Knex } from 'knex';
import { deliverySources } from '#support/interventions/assignment-rows/enums.ts';
import { fidelityGates, trackStatuses } from '#support/interventions/engine/vocabulary.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await absences(knex);
  await snapshots(knex);
  await current(knex);
}

/** One for each session. Absences are in the school year of their assignment, as deliveries are. */
async function absences(knex: Knex): Promise<void> {
  await knex.raw(`
    create table bundle_absence (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      assignment_id text not null,
      student_id bigint not null,
      source_type text not null check (${oneOf('source_type', deliverySources)}),
      source_id text not null,
      missed_on date not null,
      recorded_at timestamptz not null,
      primary key (organization_id, id, school_year),
      constraint bundle_absence_of_session unique (organization_id, assignment_id, source_type, source_id, school_year),
      foreign key (organization_id, assignment_id, school_year)
        references bundle_assignment (organization_id, id, school_year)
    ) partition by list (school_year);
    create index bundle_absence_by_student on bundle_absence (organization_id, student_id, missed_on);
  `);
  await yearlyLedger(knex, 'bundle_absence');
}

/** `facts` is the input of the count, from which the row can be computed again. */
async function snapshots(knex: Knex): Promise<void> {
  await knex.raw(`
    create table fidelity_snapshot (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      assignment_id text not null,
      student_id bigint not null,
      as_of date not null,
      planned integer not null check (planned >= 0),
      delivered integer not null check (delivered >= 0),
      credited integer not null check (credited between 0 and planned),
      offered integer not null check (offered >= delivered),
      absent integer not null check (absent = offered - delivered),
      rate numeric check (rate between 0 and 1),
      threshold numeric not null,
      gate text not null check (${oneOf('gate', fidelityGates)}),
      rule_id text not null,
      track_status text not null check (${oneOf('track_status', trackStatuses)}),
      complete_weeks integer not null check (complete_weeks >= 0),
      weeks jsonb not null,
      facts jsonb not null,
      rule_versions jsonb not null,
      computed_at timestamptz not null,
      primary key (organization_id, id, school_year),
      check ((rate is null) = (planned = 0)),
      foreign key (organization_id, assignment_id, school_year)
        references bundle_assignment (organization_id, id, school_year)
    ) partition by list (school_year);
    create index fidelity_snapshot_by_assignment on fidelity_snapshot (organization_id, assignment_id, id desc);
    create index fidelity_snapshot_by_student on fidelity_snapshot (organization_id, student_id, computed_at);
  `);
  await yearlyLedger(knex, 'fidelity_snapshot');
}

/**
 * `low_told`: the current period below the gate was reported. The index has the order of the list of such assignments.
 */
async function current(knex: Knex): Promise<void> {
  await knex.raw(`
    create table fidelity_current (
      organization_id text not null,
      assignment_id text not null,
      student_id bigint not null,
      snapshot_id bigint not null,
      open boolean not null,
      gate text not null check (${oneOf('gate', fidelityGates)}),
      planned integer not null,
      credited integer not null,
      rate numeric,
      complete_weeks integer not null,
      low_told boolean not null,
      primary key (organization_id, assignment_id),
      check (not low_told or gate = 'fail'),
      foreign key (organization_id, assignment_id) references bundle_assignment (organization_id, id)
    );
    create index fidelity_current_low on fidelity_current (organization_id, rate, assignment_id)
      where open and gate = 'fail';
    create index fidelity_current_low_of_all on fidelity_current (rate, assignment_id) where open and gate = 'fail';
    create index fidelity_current_open on fidelity_current (organization_id, student_id) where open;
  `);
  await tenantTable(knex, 'fidelity_current', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'fidelity_current', [
    ...['snapshot_id', 'open', 'gate', 'planned', 'credited', 'rate', 'complete_weeks', 'low_told'],
  ]);
}
