// Roll-overs of schools into a new school year. What one of them made and ended refers to it, so that it can be undone.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table school_roll_over (
      id bigint generated always as identity,
      organization_id text not null,
      school_id text not null,
      from_year text not null check (from_year ~ '^\\d{4}-\\d{4}$'),
      to_year text not null check (to_year ~ '^\\d{4}-\\d{4}$'),
      rolled_at timestamptz not null,
      rolled_by bigint not null,
      undone_at timestamptz,
      undone_by bigint,
      primary key (organization_id, id),
      foreign key (organization_id, school_id) references school (organization_id, id),
      check ((undone_at is null) = (undone_by is null))
    );
    create index school_roll_over_by_school on school_roll_over (organization_id, school_id, id desc);
  `);
  await tenantTable(knex, 'school_roll_over', ['select', 'insert', 'update', 'delete']);
  await knex.raw(`
    alter table class
      add column rolled_over_by bigint,
      add constraint class_rolled_over_by_fk foreign key (organization_id, rolled_over_by)
        references school_roll_over (organization_id, id) not valid;
    alter table enrollment
      add column opened_by_roll_over bigint,
      add column ended_by_roll_over bigint,
      add constraint enrollment_opened_by_roll_over_fk foreign key (organization_id, opened_by_roll_over)
        references school_roll_over (organization_id, id) not valid,
      add constraint enrollment_ended_by_roll_over_fk foreign key (organization_id, ended_by_roll_over)
        references school_roll_over (organization_id, id) not valid;
  `);
}
