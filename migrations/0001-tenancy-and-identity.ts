// Organizations, schools, classes, people and their sign-ins.
import type { Knex } from 'knex';
import { runtimeRole } from '../src/platform/db.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await foundations(knex);
  await tenancy(knex);
  await people(knex);
  await memberships(knex);
  await signIn(knex);
  await tenantTable(knex, 'organization', ['select', 'insert', 'update'], 'id');
  for (const table of ['school', 'class', 'class_teacher', 'principal_school', 'enrollment', 'parent_student']) {
    await tenantTable(knex, table);
  }
  await tenantTable(knex, 'app_user', ['select', 'insert', 'update']);
  await tenantTable(knex, 'auth_session', ['select', 'insert', 'update']);
  await tenantTable(knex, 'refresh_token', ['select', 'insert', 'update']);
}

async function foundations(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ begin
      create role ${runtimeRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$ begin
      if current_user <> '${runtimeRole}' and not pg_has_role(current_user, '${runtimeRole}', 'member') then
        execute format('grant ${runtimeRole} to %I', current_user);
      end if;
    end $$;
    grant usage on schema public to ${runtimeRole};
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
  `);
}

async function tenancy(knex: Knex): Promise<void> {
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
    create table school (
      id text primary key,
      organization_id text not null references organization,
      name text not null,
      country text not null,
      min_cluster_size integer check (min_cluster_size between 2 and 5),
      time_zone text,
      created_at timestamptz not null,
      unique (organization_id, id)
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
    create table class (
      id bigint generated always as identity primary key,
      organization_id text not null references organization,
      school_id text not null,
      name text not null,
      grade integer not null check (grade between 1 and 4),
      academic_year text not null check (academic_year ~ '^\\d{4}-\\d{4}$'
        and right(academic_year, 4)::integer = left(academic_year, 4)::integer + 1),
      archived_at timestamptz,
      created_at timestamptz not null,
      unique (organization_id, id),
      constraint class_school_fk foreign key (organization_id, school_id) references school (organization_id, id)
    );
    create index class_by_school on class (organization_id, school_id);
  `);
}

async function people(knex: Knex): Promise<void> {
  await knex.raw(`
    create table app_user (
      id bigint generated always as identity primary key,
      organization_id text references organization,
      scope text not null check (scope in ('SUPER', 'ORGANIZATION')),
      primary_persona text not null
        check (primary_persona in ('ADMIN', 'MANAGER', 'PRINCIPAL', 'TEACHER', 'PARENT', 'STUDENT')),
      email text,
      full_name_ar text,
      password_hash text,
      status text not null default 'active' check (status in ('active', 'inactive', 'deleted')),
      seats text[] not null default '{}',
      locale text,
      external_id text,
      created_at timestamptz not null,
      unique (organization_id, id),
      check ((scope = 'SUPER') = (organization_id is null)),
      check (scope <> 'SUPER' or primary_persona = 'ADMIN'),
      check (primary_persona = 'STUDENT' or email is not null or status = 'deleted'),
      check (seats = '{}' or primary_persona = 'ADMIN')
    );
    create unique index app_user_email_unique on app_user (lower(email));
    create unique index app_user_external_id_unique on app_user (organization_id, external_id);
    create index app_user_by_persona on app_user (organization_id, primary_persona, id);
  `);
}

async function memberships(knex: Knex): Promise<void> {
  await knex.raw(`
    create table class_teacher (
      organization_id text not null,
      class_id bigint not null,
      teacher_user_id bigint not null,
      role text not null check (role in ('PRIMARY', 'SECONDARY')),
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
      id bigint generated always as identity primary key,
      organization_id text not null,
      student_id bigint not null,
      class_id bigint not null,
      enrolled_from date not null,
      enrolled_to date check (enrolled_to >= enrolled_from),
      foreign key (organization_id, student_id) references app_user (organization_id, id),
      constraint enrollment_class_fk foreign key (organization_id, class_id) references class (organization_id, id)
    );
    create unique index enrollment_one_open on enrollment (organization_id, student_id) where enrolled_to is null;
    create index enrollment_by_class on enrollment (organization_id, class_id, student_id);
    create table parent_student (
      child_id text primary key,
      organization_id text not null,
      parent_user_id bigint not null,
      student_id bigint not null,
      constraint parent_student_pair unique (organization_id, parent_user_id, student_id),
      foreign key (organization_id, parent_user_id) references app_user (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index parent_student_by_student on parent_student (organization_id, student_id);
  `);
}

async function signIn(knex: Knex): Promise<void> {
  await knex.raw(`
    create table auth_session (
      id text primary key,
      organization_id text references organization,
      user_id bigint not null references app_user,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      revoked_reason text check (revoked_reason in
        ('logout', 'refresh_reuse', 'password_change', 'deactivated', 'erased')),
      check ((revoked_at is null) = (revoked_reason is null)),
      unique (organization_id, id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index auth_session_live on auth_session (user_id) where revoked_at is null;
    create table refresh_token (
      token_hash text primary key,
      organization_id text references organization,
      session_id text not null references auth_session,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      foreign key (organization_id, session_id) references auth_session (organization_id, id)
    );
    create unique index refresh_token_one_unspent on refresh_token (session_id) where used_at is null;
  `);
}
