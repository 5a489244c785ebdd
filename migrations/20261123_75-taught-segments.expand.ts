// Planned and actual duration of each segment of a live lesson, written once at its end.
import type { Knex } from 'knex';
import { yearlyLedger } from './sql/tables.ts';

/** Without a prepared lesson there is no planned time. A segment that never began has no actual time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_segment (
      organization_id text not null,
      school_year text not null,
      live_session_id text not null,
      segment_no integer not null check (segment_no >= 1),
      kind text,
      planned_minutes integer check (planned_minutes >= 1),
      taught_ms integer check (taught_ms >= 0),
      ended_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, live_session_id, segment_no, school_year),
      check (num_nonnulls(planned_minutes, taught_ms) > 0),
      check ((kind is null) = (planned_minutes is null)),
      foreign key (organization_id, live_session_id, school_year)
        references live_session (organization_id, id, school_year)
    ) partition by list (school_year);
  `);
  await yearlyLedger(knex, 'live_segment');
}
