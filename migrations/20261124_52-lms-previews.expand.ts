// Changes that a roster would make, row by row, the people and enrollments that imports created with their last values,
// and the changes of each import for its revert.
import type { Knex } from 'knex';
import {
  previewStates,
  providers,
  resolutions,
  rowActions,
  rowEntities,
  rowReasonCodes,
  runErrors,
} from '#integrations/lms/enums.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await previews(knex);
  await rows(knex);
  await staged(knex);
  await imported(knex);
  await erased(knex);
  await changes(knex);
}

/** `run_id`: the sync that the preview belongs to. `answer`: the response of the commit, kept forever. */
async function previews(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_preview (
      organization_id text not null,
      id text not null,
      connection_id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      state text not null check (${oneOf('state', previewStates)}),
      course_external_ids jsonb not null,
      run_id text,
      created_by bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      warnings jsonb not null default '[]',
      summary jsonb not null default '{"create":0,"update":0,"conflict":0,"skip":0}',
      error_code text check (${oneOf('error_code', runErrors)}),
      committed_at timestamptz,
      answer jsonb,
      held_until timestamptz,
      token bigint not null default 0,
      attempts integer not null default 0,
      primary key (organization_id, id),
      foreign key (organization_id, connection_id) references lms_connection (organization_id, id),
      check ((error_code is not null) = (state = 'failed')),
      check ((answer is not null) = (state = 'committed'))
    );
    create index lms_preview_building on lms_preview (created_at) where state = 'building';
    create index lms_preview_created_at on lms_preview (created_at);
  `);
  await tenantTable(knex, 'lms_preview');
}

/** `facts`: what the commit needs of a row and compares with the current state. */
async function rows(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_preview_row (
      organization_id text not null,
      preview_id text not null,
      position integer not null,
      id text not null,
      entity text not null check (${oneOf('entity', rowEntities)}),
      action text not null check (${oneOf('action', rowActions)}),
      reason_code text not null check (${oneOf('reason_code', rowReasonCodes)}),
      person_external_id text not null,
      user_id bigint,
      external jsonb not null,
      local jsonb,
      changes jsonb not null,
      facts jsonb not null,
      resolution text check (${oneOf('resolution', resolutions)}),
      primary key (organization_id, preview_id, position),
      unique (organization_id, preview_id, id),
      foreign key (organization_id, preview_id) references lms_preview (organization_id, id) on delete cascade
    );
    create index lms_preview_row_by_reason on lms_preview_row (organization_id, preview_id, reason_code, position);
    create index lms_preview_row_by_person on lms_preview_row (organization_id, preview_id, person_external_id);
    create index lms_preview_row_by_user on lms_preview_row (organization_id, user_id) where user_id is not null;
  `);
  await tenantTable(knex, 'lms_preview_row');
}

/** Rows read from a source while a preview is built. */
async function staged(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_staged_person (
      organization_id text not null,
      preview_id text not null,
      external_id text not null,
      entity text not null check (${oneOf('entity', rowEntities)}),
      content jsonb not null,
      email text,
      primary key (organization_id, preview_id, external_id),
      foreign key (organization_id, preview_id) references lms_preview (organization_id, id) on delete cascade
    );
    create index lms_staged_person_by_email on lms_staged_person (organization_id, preview_id, email)
      where email is not null;
    create table lms_staged_enrollment (
      organization_id text not null,
      preview_id text not null,
      course_external_id text not null,
      person_external_id text not null,
      role text not null,
      content jsonb not null,
      is_open boolean not null,
      primary key (organization_id, preview_id, person_external_id, course_external_id, role),
      foreign key (organization_id, preview_id) references lms_preview (organization_id, id) on delete cascade
    );
    create index lms_staged_enrollment_by_course
      on lms_staged_enrollment (organization_id, preview_id, course_external_id, role);
  `);
  await tenantTable(knex, 'lms_staged_person');
  await tenantTable(knex, 'lms_staged_enrollment');
}

/** The values of the source at the last import. `made`: the import created it, so it may end it. */
async function imported(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_person (
      organization_id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      external_id text not null,
      user_id bigint not null,
      full_name_ar text,
      email text,
      active boolean not null,
      primary key (organization_id, provider, external_id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index lms_person_by_user on lms_person (organization_id, user_id);
    create table lms_enrollment (
      organization_id text not null,
      provider text not null check (${oneOf('provider', providers)}),
      course_external_id text not null,
      person_external_id text not null,
      role text not null,
      class_id bigint not null,
      user_id bigint not null,
      is_open boolean not null,
      made boolean not null,
      primary key (organization_id, provider, person_external_id, course_external_id, role),
      foreign key (organization_id, class_id) references class (organization_id, id) on delete cascade,
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index lms_enrollment_by_user on lms_enrollment (organization_id, user_id);
    create index lms_enrollment_by_class on lms_enrollment (organization_id, class_id);
    create index lms_enrollment_by_course on lms_enrollment (organization_id, provider, course_external_id)
      where is_open;
  `);
  await tenantTable(knex, 'lms_person');
  await tenantTable(knex, 'lms_enrollment');
}

/** A keyed hash of the provider's id of each erased person, so that the next roster does not create them again. */
async function erased(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_erased_person (
      organization_id text not null references organization,
      provider text not null check (${oneOf('provider', providers)}),
      person_hash text not null,
      erased_at timestamptz not null,
      primary key (organization_id, provider, person_hash)
    );
  `);
  await tenantTable(knex, 'lms_erased_person', ['select', 'insert']);
}

/** One row for each row that a commit changed, in order. */
async function changes(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_change (
      organization_id text not null,
      run_id text not null,
      position integer not null,
      row_id text not null,
      user_id bigint,
      before jsonb not null,
      after jsonb not null,
      changed_at timestamptz not null,
      primary key (organization_id, run_id, position),
      foreign key (organization_id, run_id) references lms_sync_run (organization_id, id) on delete cascade
    );
    create index lms_change_by_user on lms_change (organization_id, user_id) where user_id is not null;
    create index lms_change_changed_at on lms_change (changed_at);
  `);
  await tenantTable(knex, 'lms_change');
}
