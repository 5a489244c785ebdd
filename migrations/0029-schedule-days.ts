// What was done on which day: one row for each daily schedule, organization and local date.
import type { Knex } from 'knex';
import { platformTable } from './sql/tables.ts';

/** `subject` is an organization's id, or empty for work of the whole platform. `held_until` is the machine's time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schedule_day (
      name text not null,
      subject text not null,
      day date not null,
      held_until timestamptz not null,
      failures integer not null default 0,
      done_at timestamptz,
      primary key (name, subject, day)
    );
    create index schedule_day_open on schedule_day (day) where done_at is null;
  `);
  await platformTable(knex, 'schedule_day', ['select', 'insert', 'update', 'delete']);
}
