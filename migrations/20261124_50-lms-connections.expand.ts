// Sources of rosters: connections, mappings of courses to classes, past synchronizations, and uploaded file sets.
import type { Knex } from 'knex';
import { sourceFiles } from '#integrations/lms/csv/content.ts';
import {
  connectionKinds,
  connectionStatuses,
  providers,
  runErrors,
  runStates,
  runTriggers,
} from '#integrations/lms/enums.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await connections(knex);
  await mappings(knex);
  await runs(knex);
  await sources(knex);
}

/**
 * The connecting person may be of the platform. An organization has at most one active and one waiting connection for
 * each provider.
 */
async function connections(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_connection (
      organization_id text not null references organization,
      id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      kind text not null check (${oneOf('kind', connectionKinds)}),
      status text not null check (${oneOf('status', connectionStatuses)}),
      sealed_credentials text,
      credentials_key_id text,
      connected_by bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      ended_at timestamptz,
      last_sync_at timestamptz,
      next_run_at timestamptz,
      set_no integer not null default 0,
      primary key (organization_id, id),
      check ((provider = 'google_classroom') = (kind = 'oauth')),
      check ((expires_at is not null) = (status = 'pending')),
      check ((ended_at is not null) = (status in ('revoked', 'disconnected'))),
      check (ended_at is null or (sealed_credentials is null and next_run_at is null))
    );
    create unique index lms_connection_one_active on lms_connection (organization_id, provider) where status = 'active';
    create unique index lms_connection_one_pending on lms_connection (organization_id, provider) where status = 'pending';
    create index lms_connection_newest on lms_connection (organization_id, created_at desc, id desc);
    create index lms_connection_due on lms_connection (next_run_at) where next_run_at is not null;
  `);
  await tenantTable(knex, 'lms_connection');
}

async function mappings(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_mapping (
      organization_id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      course_external_id text not null,
      class_id bigint not null,
      mapped_at timestamptz not null,
      primary key (organization_id, provider, course_external_id),
      foreign key (organization_id, class_id) references class (organization_id, id) on delete cascade
    );
    create index lms_mapping_by_class on lms_mapping (organization_id, class_id);
  `);
  await tenantTable(knex, 'lms_mapping');
}

/** A waiting or running sync changes, an ended one is immutable. */
async function runs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_sync_run (
      organization_id text not null,
      id text not null,
      connection_id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      trigger text not null check (${oneOf('trigger', runTriggers)}),
      state text not null check (${oneOf('state', runStates)}),
      created_at timestamptz not null,
      started_at timestamptz,
      ended_at timestamptz,
      counts jsonb,
      preview_id text,
      reverts_run_id text,
      error_code text check (${oneOf('error_code', runErrors)}),
      held_until timestamptz,
      token bigint not null default 0,
      attempts integer not null default 0,
      primary key (organization_id, id),
      foreign key (organization_id, connection_id) references lms_connection (organization_id, id),
      check ((ended_at is not null) = (state in ('succeeded', 'partial', 'error'))),
      check ((error_code is not null) = (state = 'error'))
    );
    create index lms_sync_run_newest on lms_sync_run (organization_id, created_at desc, id desc);
    create unique index lms_sync_run_one_open on lms_sync_run (organization_id, connection_id)
      where state in ('queued', 'running');
    create unique index lms_sync_run_reverts_once on lms_sync_run (organization_id, reverts_run_id)
      where reverts_run_id is not null;
    create index lms_sync_run_open on lms_sync_run (created_at) where state in ('queued', 'running');

    create function guard_lms_sync_run() returns trigger language plpgsql as $$
    begin
      if old.ended_at is not null then
        raise exception 'a sync run that has ended never changes' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger lms_sync_run_ended before update on lms_sync_run for each row execute function guard_lms_sync_run();
  `);
  await tenantTable(knex, 'lms_sync_run');
}

/** Rows of uploaded files, with only the values that an import reads. */
async function sources(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_source_row (
      organization_id text not null,
      connection_id text not null,
      file text not null check (${oneOf('file', sourceFiles)}),
      external_id text not null,
      parent_id text,
      person_id text,
      content jsonb not null,
      stored_at timestamptz not null,
      primary key (organization_id, connection_id, file, external_id),
      foreign key (organization_id, connection_id) references lms_connection (organization_id, id)
    );
    create index lms_source_row_by_parent on lms_source_row (organization_id, connection_id, file, parent_id, external_id);
    create index lms_source_row_by_person on lms_source_row (organization_id, connection_id, file, person_id, parent_id);
    create index lms_source_row_stored_at on lms_source_row (stored_at);
  `);
  await tenantTable(knex, 'lms_source_row');
}
