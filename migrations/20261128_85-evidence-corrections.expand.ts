// Evidence that people took back, and accounts of one child that were merged. Nothing is deleted: what stands at a
// moment is decided by the moments of these rows.
import type { Knex } from 'knex';
import { evidenceKinds, voidReasons } from '#assessment/measurement/enums.ts';
import { triggerKinds } from '#assessment/skill-status/results/enums.ts';
import { mergeReasons } from '#identity/people/records/enums.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await voids(knex);
  await merges(knex);
  await runs(knex);
}

/** `student_id` is the account with which the evidence was taken. A probe of a reading is voided with the reading. */
async function voids(knex: Knex): Promise<void> {
  await knex.raw(`
    create table evidence_void (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      kind text not null check (${oneOf('kind', evidenceKinds)}),
      ref_id text not null,
      reason_code text not null check (${oneOf('reason_code', voidReasons)}),
      at timestamptz not null,
      by_user_id bigint not null,
      restored_at timestamptz,
      restored_by_user_id bigint,
      primary key (organization_id, id),
      check ((restored_at is null) = (restored_by_user_id is null)),
      check (restored_at >= at),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create unique index evidence_void_one_stands on evidence_void (organization_id, kind, ref_id)
      where restored_at is null;
    create index evidence_void_by_student on evidence_void (organization_id, student_id, id desc);
    create index evidence_void_by_moment on evidence_void (organization_id, at);
  `);
  await tenantTable(knex, 'evidence_void', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'evidence_void', ['restored_at', 'restored_by_user_id']);
}

/** `moved` is what an undo puts back. */
async function merges(knex: Knex): Promise<void> {
  await knex.raw(`
    create table student_merge (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      into_student_id bigint not null,
      reason_code text not null check (${oneOf('reason_code', mergeReasons)}),
      at timestamptz not null,
      by_user_id bigint not null,
      moved jsonb not null,
      undone_at timestamptz,
      undone_by_user_id bigint,
      primary key (organization_id, id),
      check (student_id <> into_student_id),
      check ((undone_at is null) = (undone_by_user_id is null)),
      check (undone_at >= at),
      foreign key (organization_id, student_id) references app_user (organization_id, id),
      foreign key (organization_id, into_student_id) references app_user (organization_id, id)
    );
    create unique index student_merge_one_stands on student_merge (organization_id, student_id) where undone_at is null;
    create index student_merge_by_student on student_merge (organization_id, student_id);
    create index student_merge_by_survivor on student_merge (organization_id, into_student_id);
  `);
  await tenantTable(knex, 'student_merge', ['select', 'insert', 'update']);
  await onlyChanges(knex, 'student_merge', ['undone_at', 'undone_by_user_id']);
}

/** A correction triggers a recompute. */
const runs = (knex: Knex) =>
  knex.raw(`
    alter table sse_run drop constraint sse_run_trigger_check;
    alter table sse_run add constraint sse_run_trigger_check check (${oneOf('trigger', triggerKinds)}) not valid;
  `);
