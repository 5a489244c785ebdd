// Counts of each class that a worker maintains, so that no read of a school counts students: the last state of every
// local date, and the current one of today. Classes that are to be counted again are listed until they were.
import type { Knex } from 'knex';
import { onlyChanges } from './sql/changeable.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await days(knex);
  await classes(knex);
  await tiles(knex);
  await requests(knex);
}

/** The date whose rows are current. */
async function days(knex: Knex): Promise<void> {
  await knex.raw(`
    create table org_rollup (
      organization_id text not null references organization,
      day date not null,
      primary key (organization_id)
    );
  `);
  await tenantTable(knex, 'org_rollup', ['select', 'insert', 'update']);
}

/**
 * A class with students. `measured`: for each season of the school year, the number of students measured in it. A row
 * of today is kept until its day is over, and then for its period.
 */
async function classes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table org_daily_class (
      organization_id text not null references organization,
      day date not null,
      class_id bigint not null,
      school_id text not null,
      students integer not null check (students >= 1),
      measured jsonb not null,
      sufficient integer not null check (sufficient >= 0),
      insufficient integer not null check (insufficient >= 0),
      contextual integer not null check (contextual >= 0),
      as_of timestamptz,
      rule_versions jsonb not null,
      kept_until timestamptz,
      primary key (organization_id, day, class_id),
      check (sufficient + insufficient + contextual = students)
    );
    create index org_daily_class_kept on org_daily_class (kept_until);
  `);
  await tenantTable(knex, 'org_daily_class');
}

/** `students`: none when the tile has no sub-skills in the grade of the class. */
async function tiles(knex: Knex): Promise<void> {
  await knex.raw(`
    create table org_daily_rollup (
      organization_id text not null references organization,
      day date not null,
      class_id bigint not null,
      tile_code text not null,
      students integer not null,
      meets integer not null check (meets >= 0),
      approaching integer not null check (approaching >= 0),
      below integer not null check (below >= 0),
      severe integer not null check (severe >= 0),
      more_data integer not null check (more_data >= 0),
      kept_until timestamptz,
      primary key (organization_id, day, class_id, tile_code),
      check (meets + approaching + below + severe + more_data = students)
    );
    create index org_daily_rollup_kept on org_daily_rollup (kept_until);
  `);
  await tenantTable(knex, 'org_daily_rollup');
}

/** How often a count of a class was requested, and up to which request it was made. */
async function requests(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rollup_request (
      organization_id text not null references organization,
      class_id bigint not null,
      requested_seq integer not null check (requested_seq >= 1),
      processed_seq integer not null default 0 check (processed_seq between 0 and requested_seq),
      requested_at timestamptz not null,
      attempts integer not null default 0 check (attempts >= 0),
      primary key (organization_id, class_id)
    );
    create index rollup_request_waiting on rollup_request (organization_id) where requested_seq > processed_seq;
  `);
  await tenantTable(knex, 'rollup_request', ['select', 'insert', 'update', 'delete']);
  await onlyChanges(knex, 'rollup_request', ['requested_seq', 'processed_seq', 'requested_at', 'attempts']);
}
