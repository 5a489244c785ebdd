// Published statistics of schools and organizations, once a season: releases, visible cells, and the counts behind
// them. All are immutable, because a second publication about the same students could reveal suppressed counts of the
// first.
import type { Knex } from 'knex';
import { releasedUnits, seasons, statistics, units } from '#outcomes/aggregates/enums.ts';
import { oneOf } from './sql/enums.ts';
import { yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await releases(knex);
  await cells(knex);
  await counts(knex);
}

const ofRelease = `foreign key (organization_id, release_id, school_year)
        references aggregate_release (organization_id, id, school_year)`;

/** A school with its classes, or an organization alone. `as_of`: time of the newest run included. */
async function releases(knex: Knex): Promise<void> {
  await knex.raw(`
    create table aggregate_release (
      id text,
      organization_id text not null references organization,
      school_year text not null,
      season text not null check (${oneOf('season', seasons)}),
      unit text not null check (${oneOf('unit', releasedUnits)}),
      unit_id text not null,
      released_at timestamptz not null,
      as_of timestamptz,
      rule_versions jsonb not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, id, school_year),
      unique (organization_id, unit, unit_id, school_year, season)
    ) partition by list (school_year);
  `);
  await yearlyLedger(knex, 'aggregate_release');
}

/**
 * `counts`: a number for each value of the statistic, null when it is suppressed. A unit has one cell for each
 * statistic and subject.
 */
async function cells(knex: Knex): Promise<void> {
  await knex.raw(`
    create table aggregate_cell (
      organization_id text not null,
      school_year text not null,
      season text not null check (${oneOf('season', seasons)}),
      unit text not null check (${oneOf('unit', units)}),
      unit_id text not null,
      space text not null check (${oneOf('space', statistics)}),
      subject text not null,
      release_id text not null,
      students integer not null check (students >= 0),
      counts jsonb not null,
      suppressed boolean not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, unit, unit_id, space, subject, school_year, season),
      ${ofRelease}
    ) partition by list (school_year);
    create index aggregate_cell_of_release on aggregate_cell (organization_id, release_id, unit);
  `);
  await yearlyLedger(knex, 'aggregate_cell');
}

/**
 * The counts of each class when its school was released, from which the organization is counted. Never returned by a
 * route.
 */
async function counts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table aggregate_count (
      organization_id text not null,
      school_year text not null,
      season text not null check (${oneOf('season', seasons)}),
      class_id bigint not null,
      space text not null check (${oneOf('space', statistics)}),
      subject text not null,
      release_id text not null,
      counts jsonb not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, class_id, space, subject, school_year, season),
      ${ofRelease}
    ) partition by list (school_year);
    create index aggregate_count_of_release on aggregate_count (organization_id, release_id);
  `);
  await yearlyLedger(knex, 'aggregate_count');
}
