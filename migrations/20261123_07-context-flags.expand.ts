// Context flags of students, the events of their beginnings and ends, and refused flags, of which only the length is
// stored.
import type { Knex } from 'knex';
import { turns } from '#identity/context-flags/enums.ts';
import { audited } from './sql/audit.ts';
import { oneOf } from './sql/enums.ts';
import { ledgerTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await flags(knex);
  await flagTurns(knex);
  await refusals(knex);
}

/**
 * The newest row of a student's code has its period. `active_to` is the last day, also when none was given. `set_on` is
 * the organization's date of `set_at`.
 */
async function flags(knex: Knex): Promise<void> {
  await knex.raw(`
    create table context_flag (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      flag_code text not null,
      effective_from date not null,
      effective_to date,
      active_to date not null check (active_to >= effective_from),
      ended boolean not null,
      set_by bigint not null,
      set_at timestamptz not null,
      set_on date not null,
      rule_version text not null,
      primary key (organization_id, id, school_year),
      check (effective_to = active_to),
      check (not ended or (effective_to is not null and effective_to = set_on)),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index context_flag_by_student on context_flag (organization_id, student_id, flag_code, id desc);
    create index context_flag_by_beginning on context_flag (organization_id, effective_from);
    create index context_flag_by_end on context_flag (organization_id, active_to);
  `);
  await yearlyLedger(knex, 'context_flag');
}

/** Each turn of a flag raises one event. */
async function flagTurns(knex: Knex): Promise<void> {
  await knex.raw(`
    create table context_flag_turn (
      id bigint generated always as identity,
      organization_id text not null,
      school_year text not null,
      student_id bigint not null,
      flag_id bigint not null,
      turn text not null check (${oneOf('turn', turns)}),
      at timestamptz not null,
      primary key (organization_id, id, school_year),
      unique (organization_id, flag_id, turn, school_year),
      foreign key (organization_id, flag_id, school_year) references context_flag (organization_id, id, school_year)
    ) partition by list (school_year);
    create index context_flag_turn_by_student on context_flag_turn (organization_id, student_id);
  `);
  await yearlyLedger(knex, 'context_flag_turn');
}

/** The audit log gets the length and the names of columns. Nothing else may be stored. */
async function refusals(knex: Knex): Promise<void> {
  await knex.raw(`
    create table context_flag_refusal (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      length integer not null check (length >= 0),
      at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index context_flag_refusal_by_student on context_flag_refusal (organization_id, student_id, id desc);
  `);
  await ledgerTable(knex, 'context_flag_refusal');
  await audited(knex, 'context_flag_refusal', 'student_id', ['length']);
}
