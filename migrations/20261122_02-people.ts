// Organizations, schools, classes and people, and the audit log of their changes.
import type { Knex } from 'knex';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { auditActions } from '#identity/audit/enums.ts';
import { accountScopes, classRoles, userStatuses } from '#identity/people/records/enums.ts';
import { personas } from '#identity/people/records/permissions.ts';
import { audited } from './sql/audit.ts';
import { oneOf } from './sql/enums.ts';
import { ledgerTable, securedTable, tenantTable } from './sql/tables.ts';

const notThePlatform = `id <> '${platformOrganizationId}'`;

export async function up(knex: Knex): Promise<void> {
  await organizations(knex);
  await record(knex);
  await people(knex);
  await memberships(knex);
  await recorded(knex);
}

/** The platform's own row exists for foreign keys only. The run-time roles neither see nor change it. */
async function organizations(knex: Knex): Promise<void> {
  await knex.raw(`
    create table organization (
      id text primary key,
      name text not null,
      slug text not null constraint organization_slug_unique unique
        check (slug ~ '^[a-z0-9]([a-z0-9-]{1,61}[a-z0-9])$'),
      country text not null check (country ~ '^[A-Z]{2}$'),
      default_locale text not null,
      is_demo boolean not null default false,
      allowed_google_domains text[] not null default '{}',
      time_zone text not null default 'Asia/Riyadh',
      weekend integer[] not null default '{5,6}',
      holidays date[] not null default '{}',
      min_cluster_size integer not null default 2 check (min_cluster_size between 2 and 5),
      created_at timestamptz not null
    );
    insert into organization (id, name, slug, country, default_locale, time_zone, created_at)
      values ('${platformOrganizationId}', 'Platform', '${platformOrganizationId}', 'ZZ', 'ar', 'UTC', '2026-11-22T00:00:00Z');

    create table school (
      id text,
      organization_id text not null references organization,
      name text not null,
      country text not null,
      min_cluster_size integer check (min_cluster_size between 2 and 5),
      time_zone text,
      created_at timestamptz not null,
      primary key (organization_id, id)
    );
    create function school_country_matches() returns trigger language plpgsql as $$
    begin
      if new.country is distinct from (select country from organization where id = new.organization_id) then
        raise exception 'country differs' using errcode = 'check_violation', constraint = 'school_country_matches';
      end if;
      return new;
    end $$;
    create trigger school_country_matches before insert or update on school
      for each row execute function school_country_matches();
  `);
  await securedTable(knex, 'organization', {
    privileges: ['select', 'insert', 'update'],
    mine: `id = current_setting('app.organization_id', true) and ${notThePlatform}`,
    all: notThePlatform,
  });
  await tenantTable(knex, 'school');
}

/** The writer of a transaction is its setting `app.writer`. Without it (seeding, jobs) nothing is recorded. */
async function record(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entry (
      id bigint generated always as identity,
      organization_id text not null references organization,
      at timestamptz not null,
      actor_user_id bigint not null,
      operation text not null,
      request_id text not null,
      entity text not null,
      entity_id text not null,
      action text not null check (${oneOf('action', auditActions)}),
      changed_fields text[] not null,
      before jsonb,
      after jsonb,
      primary key (organization_id, id)
    );
    create index audit_entry_by_entity on audit_entry (entity, entity_id, id desc);
    create index audit_entry_by_actor on audit_entry (actor_user_id, id desc);
    create function audit_fields(full_row jsonb, fields text[]) returns jsonb language sql immutable as $$
      select case when full_row is null then null
        else (select coalesce(jsonb_object_agg(f, full_row -> f), '{}') from unnest(fields) f) end
    $$;
    create function record_audit() returns trigger language plpgsql as $$
    declare
      writer jsonb := nullif(current_setting('app.writer', true), '')::jsonb;
      old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      any_row jsonb := coalesce(new_row, old_row);
      fields text[] := tg_argv[2:];
      changed text[];
    begin
      if writer is null then return null; end if;
      select coalesce(array_agg(k order by k), '{}') into changed from jsonb_object_keys(any_row) k
        where old_row -> k is distinct from new_row -> k;
      if changed = '{}' then return null; end if;
      insert into audit_entry (organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
        changed_fields, before, after)
      values (coalesce(any_row ->> tg_argv[1], '${platformOrganizationId}'), (writer ->> 'at')::timestamptz, (writer ->> 'actor')::bigint,
        writer ->> 'operation', writer ->> 'requestId', tg_table_name, any_row ->> tg_argv[0], lower(tg_op),
        changed, audit_fields(old_row, fields), audit_fields(new_row, fields));
      return null;
    end $$;
    create trigger audit_entry_own_name before insert on audit_entry
      for each row execute function guard_own_name('actor_user_id');
  `);
  await ledgerTable(knex, 'audit_entry');
}

async function people(knex: Knex): Promise<void> {
  await knex.raw(`
    create table class (
      id bigint generated always as identity,
      organization_id text not null references organization,
      school_id text not null,
      name text not null,
      grade integer not null check (grade between 1 and 4),
      academic_year text not null check (academic_year ~ '^\\d{4}-\\d{4}$'
        and right(academic_year, 4)::integer = left(academic_year, 4)::integer + 1),
      archived_at timestamptz,
      created_at timestamptz not null,
      primary key (organization_id, id),
      constraint class_school_fk foreign key (organization_id, school_id) references school (organization_id, id)
    );
    create index class_by_school on class (organization_id, school_id);

    create table app_user (
      id bigint generated always as identity,
      organization_id text not null references organization,
      scope text not null check (${oneOf('scope', accountScopes)}),
      primary_persona text not null
        check (${oneOf('primary_persona', personas)}),
      email text,
      full_name_ar text,
      password_hash text,
      status text not null default 'active' check (${oneOf('status', userStatuses)}),
      seats text[] not null default '{}',
      locale text,
      external_id text,
      created_at timestamptz not null,
      primary key (organization_id, id),
      check ((scope = 'SUPER') = (organization_id = '${platformOrganizationId}')),
      check (scope <> 'SUPER' or primary_persona = 'ADMIN'),
      check (primary_persona = 'STUDENT' or email is not null or status = 'deleted'),
      check (seats = '{}' or primary_persona = 'ADMIN')
    );

    create table sign_in_name (
      email text primary key check (email = lower(email)),
      organization_id text not null references organization,
      user_id bigint not null,
      unique (organization_id, user_id),
      foreign key (organization_id, user_id) references app_user (organization_id, id) on delete cascade
    );
    create unique index app_user_external_id_unique on app_user (organization_id, external_id);
    create index app_user_by_persona on app_user (organization_id, primary_persona, id);
  `);
  await tenantTable(knex, 'class');
  await tenantTable(knex, 'app_user', ['select', 'insert', 'update']);
  await tenantTable(knex, 'sign_in_name');
}

async function memberships(knex: Knex): Promise<void> {
  await knex.raw(`
    create table class_teacher (
      organization_id text not null,
      class_id bigint not null,
      teacher_user_id bigint not null,
      role text not null check (${oneOf('role', classRoles)}),
      position bigint generated always as identity,
      constraint class_teacher_pk primary key (organization_id, class_id, teacher_user_id),
      foreign key (organization_id, class_id) references class (organization_id, id) on delete cascade,
      foreign key (organization_id, teacher_user_id) references app_user (organization_id, id)
    );
    create unique index class_teacher_one_primary on class_teacher (organization_id, class_id) where role = 'PRIMARY';
    create index class_teacher_by_teacher on class_teacher (organization_id, teacher_user_id, class_id);

    create table principal_school (
      organization_id text not null,
      principal_user_id bigint not null,
      school_id text not null,
      primary key (organization_id, principal_user_id, school_id),
      foreign key (organization_id, principal_user_id) references app_user (organization_id, id),
      foreign key (organization_id, school_id) references school (organization_id, id) on delete cascade
    );

    create table enrollment (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      class_id bigint not null,
      enrolled_from date not null,
      enrolled_to date check (enrolled_to >= enrolled_from),
      primary key (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id),
      constraint enrollment_class_fk foreign key (organization_id, class_id) references class (organization_id, id)
    );
    create unique index enrollment_one_open on enrollment (organization_id, student_id) where enrolled_to is null;
    create index enrollment_by_class on enrollment (organization_id, class_id, student_id);

    create table parent_student (
      child_id text,
      organization_id text not null,
      parent_user_id bigint not null,
      student_id bigint not null,
      primary key (organization_id, child_id),
      constraint parent_student_pair unique (organization_id, parent_user_id, student_id),
      foreign key (organization_id, parent_user_id) references app_user (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index parent_student_by_student on parent_student (organization_id, student_id);
  `);
  for (const table of ['class_teacher', 'principal_school', 'enrollment', 'parent_student'])
    await tenantTable(knex, table);
}

async function recorded(knex: Knex): Promise<void> {
  await audited(knex, 'organization', 'id', [
    'name',
    'slug',
    'country',
    'default_locale',
    'is_demo',
    'allowed_google_domains',
    'time_zone',
    'weekend',
    'holidays',
    'min_cluster_size',
  ]);
  await audited(knex, 'school', 'id', ['name', 'country', 'min_cluster_size', 'time_zone']);
  await audited(knex, 'class', 'id', ['school_id', 'name', 'grade', 'academic_year', 'archived_at']);
  await audited(knex, 'app_user', 'id', ['primary_persona', 'scope', 'status', 'seats']);
  await audited(knex, 'class_teacher', 'class_id', ['teacher_user_id', 'role']);
  await audited(knex, 'principal_school', 'school_id', ['principal_user_id']);
  await audited(knex, 'enrollment', 'student_id', ['class_id', 'enrolled_from', 'enrolled_to']);
  await audited(knex, 'parent_student', 'student_id', ['parent_user_id']);
}
