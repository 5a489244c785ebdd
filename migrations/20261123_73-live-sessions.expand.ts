// Live lessons: their state, what they show in which order, their participants and groups, and all events.
import type { Knex } from 'knex';
import { liveSignals, liveStates, staffEventTypes, taughtStates } from '#teaching/live-lessons/enums.ts';
import { neverChanges, onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable, yearlyLedger } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await sessions(knex);
  await codes(knex);
  await playlists(knex);
  await participants(knex);
  await groups(knex);
  await events(knex);
  await clientEvents(knex);
}

/** What a live lesson was created with is immutable. */
const frozen = [
  ...['id', 'organization_id', 'school_year', 'time_zone', 'class_id', 'session_id', 'join_code'],
  ...['created_by', 'created_at'],
];

/**
 * `item_refs` are those of playlist `playlist_no`, in its order. Without a playlist the number is 0. Dates of a live
 * lesson are in `time_zone`.
 */
async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_session (
      id text,
      organization_id text not null,
      school_year text not null,
      time_zone text not null,
      class_id bigint not null,
      session_id text,
      bundle_id text,
      step_no integer check (step_no >= 1),
      state text not null check (${oneOf('state', liveStates)}),
      join_code text not null,
      control_version integer not null check (control_version >= 0),
      playlist_no integer not null check (playlist_no >= 0),
      item_refs jsonb not null default '[]',
      current_item_ref text,
      responses_locked boolean not null default false,
      created_by bigint not null,
      created_at timestamptz not null,
      started_at timestamptz,
      ended_at timestamptz,
      primary key (organization_id, id),
      unique (organization_id, id, school_year),
      check ((bundle_id is null) = (step_no is null)),
      check ((playlist_no = 0) = (item_refs = '[]')),
      check (current_item_ref is null or jsonb_exists(item_refs, current_item_ref)),
      check ((current_item_ref is not null) = (${oneOf('state', taughtStates)})),
      check ((started_at is not null) = (state in ('live', 'paused', 'ended'))),
      check ((ended_at is not null) = (state in ('ended', 'cancelled'))),
      foreign key (organization_id, class_id) references class (organization_id, id)
    );
    create unique index live_session_one_taught on live_session (organization_id, class_id)
      where ${oneOf('state', taughtStates)};
    create index live_session_by_class on live_session (organization_id, class_id, created_at, id);
    create index live_session_by_session on live_session (organization_id, session_id) where session_id is not null;
    create index live_session_running on live_session (started_at) where ${oneOf('state', taughtStates)};
    create index live_session_waiting on live_session (created_at) where state = 'draft';

    create function guard_ended_live_session() returns trigger language plpgsql as $$
    begin
      raise exception 'a live session stays as it ended' using errcode = 'restrict_violation';
    end $$;
    create trigger live_session_ended before update on live_session
      for each row when (old.ended_at is not null) execute function guard_ended_live_session();
  `);
  await tenantTable(knex, 'live_session', ['select', 'insert', 'update']);
  await neverChanges(knex, 'live_session', frozen);
  await neverRemoved(knex, 'live_session');
}

/** Valid join codes, unique in the whole service. The row is deleted when the live lesson ends. */
async function codes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_join_code (
      code text primary key,
      organization_id text not null references organization,
      live_session_id text not null
    );
    create index live_join_code_of_session on live_join_code (organization_id, live_session_id);
  `);
  await tenantTable(knex, 'live_join_code', ['select', 'insert', 'delete']);
}

/**
 * Items as they were when the playlist was created, with their keys, so that shown and marked items can be reviewed
 * later.
 */
async function playlists(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_playlist (
      organization_id text not null,
      school_year text not null,
      live_session_id text not null,
      playlist_no integer not null check (playlist_no >= 1),
      blueprint_id text not null,
      items jsonb not null,
      created_at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, live_session_id, playlist_no, school_year),
      foreign key (organization_id, live_session_id, school_year)
        references live_session (organization_id, id, school_year)
    ) partition by list (school_year);
  `);
  await yearlyLedger(knex, 'live_playlist');
}

async function participants(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_participant (
      organization_id text not null,
      live_session_id text not null,
      student_id bigint not null,
      joined_at timestamptz not null,
      last_seen_at timestamptz not null,
      left_at timestamptz,
      primary key (organization_id, live_session_id, student_id),
      foreign key (organization_id, live_session_id) references live_session (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index live_participant_by_student on live_participant (organization_id, student_id, joined_at);
  `);
  await tenantTable(knex, 'live_participant', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'live_participant', ['last_seen_at', 'left_at']);
}

/** A leader is a member. All groups of a live lesson are replaced together. */
async function groups(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_group (
      id text,
      organization_id text not null,
      live_session_id text not null,
      group_no integer not null check (group_no >= 1),
      leader_student_id bigint,
      primary key (organization_id, id),
      unique (organization_id, live_session_id, group_no),
      unique (organization_id, live_session_id, id),
      foreign key (organization_id, live_session_id) references live_session (organization_id, id)
    );

    create table live_group_member (
      organization_id text not null,
      live_session_id text not null,
      student_id bigint not null,
      group_id text not null,
      primary key (organization_id, live_session_id, student_id),
      foreign key (organization_id, live_session_id, group_id)
        references live_group (organization_id, live_session_id, id) on delete cascade,
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index live_group_member_of_group on live_group_member (organization_id, live_session_id, group_id);
    create index live_group_member_by_student on live_group_member (organization_id, student_id);

    alter table live_group add constraint live_group_leader_fk
      foreign key (organization_id, leader_student_id) references app_user (organization_id, id);
    create index live_group_by_leader on live_group (organization_id, leader_student_id);
  `);
  await tenantTable(knex, 'live_group');
  await onlyChanges(knex, 'live_group', ['leader_student_id']);
  await tenantTable(knex, 'live_group_member', ['select', 'insert', 'delete']);
}

/**
 * `student_id`: the student whom the event is about. The numbers of a live lesson have no gaps: they are assigned under
 * the lock of its row.
 */
async function events(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_event (
      organization_id text not null,
      school_year text not null,
      live_session_id text not null,
      seq integer not null check (seq >= 1),
      type text not null check (${oneOf('type', staffEventTypes)}),
      student_id bigint,
      data jsonb not null default '{}',
      at timestamptz not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, live_session_id, seq, school_year),
      foreign key (organization_id, live_session_id, school_year)
        references live_session (organization_id, id, school_year),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    ) partition by list (school_year);
    create index live_event_by_student on live_event (organization_id, student_id, at) where student_id is not null;
  `);
  await yearlyLedger(knex, 'live_event');
}

/** Events that a client has already sent. The live lesson accepts none after `expires_at`. */
async function clientEvents(knex: Knex): Promise<void> {
  await knex.raw(`
    create table live_client_event (
      organization_id text not null,
      live_session_id text not null,
      client_event_id text not null,
      user_id bigint not null,
      type text not null check (${oneOf('type', liveSignals)}),
      received_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (organization_id, live_session_id, client_event_id),
      foreign key (organization_id, live_session_id) references live_session (organization_id, id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index live_client_event_by_user on live_client_event (organization_id, user_id);
    create index live_client_event_expires on live_client_event (expires_at);
  `);
  await tenantTable(knex, 'live_client_event', ['select', 'insert', 'delete']);
}
