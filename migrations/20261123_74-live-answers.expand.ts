// Input of students and teachers in live lessons: responses, observations, own items of one student, and marks of a
// class that shares a projector.
import type { Knex } from 'knex';
import {
  liveResponseSources,
  observationCodes,
  ownRunStates,
  projectorMarks,
  projectorStates,
} from '#teaching/live-lessons/enums.ts';
import { neverChanges, onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await ownRuns(knex);
  await projectorRuns(knex);
  await responses(knex);
  await observations(knex);
}

const ofSession = `foreign key (organization_id, live_session_id, school_year)
        references live_session (organization_id, id, school_year)`;
const ofStudent = 'foreign key (organization_id, student_id) references app_user (organization_id, id)';

/** One running at a time for each student. `item_refs` are those of playlist `playlist_no`. */
async function ownRuns(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_own_run (
      id text,
      organization_id text not null,
      live_session_id text not null,
      student_id bigint not null,
      playlist_no integer not null check (playlist_no >= 1),
      item_refs jsonb not null,
      state text not null check (${oneOf('state', ownRunStates)}),
      started_by bigint not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      primary key (organization_id, id),
      check ((state = 'running') = (ended_at is null)),
      foreign key (organization_id, live_session_id) references live_session (organization_id, id),
      ${ofStudent}
    );
    create unique index live_own_run_one_running on live_own_run (organization_id, live_session_id, student_id)
      where state = 'running';
    create index live_own_run_of_session on live_own_run (organization_id, live_session_id, started_at, id);
    create index live_own_run_by_student on live_own_run (organization_id, student_id, started_at);
  `);
  await tenantTable(knex, 'live_own_run', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'live_own_run', ['state', 'ended_at']);
  await neverRemoved(knex, 'live_own_run');
}

/** `committed` and `skipped` are the response of the commit, which is repeated on a retry. */
async function projectorRuns(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_projector_run (
      id text,
      organization_id text not null,
      live_session_id text not null,
      playlist_no integer not null check (playlist_no >= 1),
      state text not null check (${oneOf('state', projectorStates)}),
      set_up_by bigint not null,
      opened_at timestamptz not null,
      closed_at timestamptz,
      committed integer check (committed >= 0),
      skipped integer check (skipped >= 0),
      primary key (organization_id, id),
      check ((state = 'open') = (closed_at is null)),
      check (num_nonnulls(committed, skipped) = case when state = 'committed' then 2 else 0 end),
      foreign key (organization_id, live_session_id) references live_session (organization_id, id)
    );
    create unique index live_projector_run_one_open on live_projector_run (organization_id, live_session_id)
      where state = 'open';
    create index live_projector_run_of_session on live_projector_run (organization_id, live_session_id, opened_at, id);

    create table live_projector_seat (
      organization_id text not null,
      projector_run_id text not null,
      seat_no integer not null check (seat_no >= 1),
      student_id bigint not null,
      item_ref text not null,
      mark text check (${oneOf('mark', projectorMarks)}),
      selected_option_index integer check (selected_option_index >= 0),
      marked_at timestamptz,
      primary key (organization_id, projector_run_id, seat_no),
      unique (organization_id, projector_run_id, student_id),
      check ((mark is null) = (marked_at is null)),
      check (selected_option_index is null or mark is not null),
      foreign key (organization_id, projector_run_id) references live_projector_run (organization_id, id),
      ${ofStudent}
    );
    create index live_projector_seat_by_student on live_projector_seat (organization_id, student_id);
  `);
  await tenantTable(knex, 'live_projector_run', ['select', 'insert', 'update']);
  await neverChanges(knex, 'live_projector_run', [
    ...['id', 'organization_id', 'live_session_id', 'playlist_no', 'set_up_by', 'opened_at'],
  ]);
  await neverRemoved(knex, 'live_projector_run');
  await tenantTable(knex, 'live_projector_seat', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'live_projector_seat', ['mark', 'selected_option_index', 'marked_at']);
}

/** The first response of a student to an item. `run_id`: the own items or the projector run that it came from. */
async function responses(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_response (
      organization_id text not null,
      school_year text not null,
      live_session_id text not null,
      student_id bigint not null,
      item_ref text not null,
      sub_skill_code text not null,
      task_type text not null,
      source text not null check (${oneOf('source', liveResponseSources)}),
      run_id text,
      client_response_id text,
      selected_option_index integer check (selected_option_index >= 0),
      correct boolean not null,
      support_used boolean not null default false,
      answered_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, live_session_id, student_id, item_ref, school_year),
      unique (organization_id, live_session_id, client_response_id, school_year),
      check ((client_response_id is null) = (source = 'projector')),
      check (client_response_id is null or selected_option_index is not null),
      check ((run_id is null) = (source = 'current')),
      ${ofSession},
      ${ofStudent}
    ) partition by list (school_year);
    create index live_response_by_student on live_response (organization_id, student_id, answered_at);
  `);
  await yearlyLedger(knex, 'live_response');
}

async function observations(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_observation (
      organization_id text not null,
      school_year text not null,
      live_session_id text not null,
      client_observation_id text not null,
      student_id bigint not null,
      observation_code text not null check (${oneOf('observation_code', observationCodes)}),
      sub_skill_code text,
      observed_by bigint not null,
      observed_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, live_session_id, client_observation_id, school_year),
      ${ofSession},
      ${ofStudent}
    ) partition by list (school_year);
    create index live_observation_by_student on live_observation (organization_id, student_id, observed_at);
  `);
  await yearlyLedger(knex, 'live_observation');
}
