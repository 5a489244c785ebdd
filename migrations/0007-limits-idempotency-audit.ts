// What every route gets: a general rate limit, answers kept for repeated requests, and the record of who changed what.
import type { Knex } from 'knex';
import { audited } from './sql/audit.ts';
import { appendOnly, platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await limits(knex);
  await audit(knex);
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
  await audited(knex, 'quick_code', 'student_id', ['expires_at']);
  await audited(knex, 'external_identity', 'user_id', ['provider']);
}

async function limits(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table rate_limit (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    );
    create table idempotent_answer (
      caller text not null,
      operation text not null,
      key text not null,
      request_hash text not null,
      sealed_answer text not null,
      expires_at timestamptz not null,
      primary key (caller, operation, key)
    );
    create index idempotent_answer_by_age on idempotent_answer (expires_at);
  `);
  await platformTable(knex, 'rate_limit', ['select', 'insert', 'update', 'delete']);
  await platformTable(knex, 'idempotent_answer', ['select', 'insert', 'update', 'delete']);
}

/** The writer of a unit of work is a transaction setting `app.writer`; without one (seeding, jobs) nothing is recorded. */
async function audit(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_entry (
      id bigint generated always as identity primary key,
      organization_id text references organization,
      at timestamptz not null,
      actor_user_id bigint not null,
      operation text not null,
      request_id text not null,
      entity text not null,
      entity_id text not null,
      action text not null check (action in ('insert', 'update', 'delete')),
      changed_fields text[] not null,
      before jsonb,
      after jsonb
    );
    create index audit_entry_by_organization on audit_entry (organization_id, id desc);
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
      values (any_row ->> tg_argv[1], (writer ->> 'at')::timestamptz, (writer ->> 'actor')::bigint,
        writer ->> 'operation', writer ->> 'requestId', tg_table_name, any_row ->> tg_argv[0], lower(tg_op),
        changed, audit_fields(old_row, fields), audit_fields(new_row, fields));
      return null;
    end $$;
  `);
  await tenantTable(knex, 'audit_entry', ['select', 'insert']);
  await appendOnly(knex, 'audit_entry');
}
