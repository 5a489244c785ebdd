// The workbench: drafts and who approved them, what is scheduled, long jobs over students (impact, replay, recompute),
// the chain of attestations, and tables that are answered by the oracle.
import type { Knex } from 'knex';
import { audited } from './sql/audit.ts';
import { appendOnly, platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await publications(knex);
  await drafts(knex);
  await schedules(knex);
  await jobs(knex);
  await proofs(knex);
}

/** A version with an author has passed a second pair of eyes, but for the families that fixed routes write too. */
async function publications(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_version
      add column id text generated always as (family || '/' || key || '@' || version) stored unique,
      add column level text check (level in ('major', 'minor', 'patch')),
      add column editor_user_ids bigint[] not null default '{}',
      add constraint rule_version_four_eyes check (
        author_user_id is null or family in ('language', 'qa', 'benchmark')
        or (cardinality(approved_by) >= 1 and not approved_by && (editor_user_ids || author_user_id)));
    alter table rule_activation
      add column kind text not null default 'install' check (kind in ('install', 'activate', 'scheduled', 'rollback')),
      add column approved_by bigint[] not null default '{}';
    alter table rule_activation alter column kind drop default;
  `);
  await audited(knex, 'rule_version', 'id', ['family', 'key', 'version', 'sha256', 'golden_sha256', 'level']);
  await audited(knex, 'rule_activation', 'id', ['bundle_id', 'active_from', 'reason', 'kind', 'approved_by']);
}

async function drafts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_draft (
      id text primary key,
      family text not null,
      key text not null,
      base_version integer not null check (base_version >= 0),
      state text not null check (state in
        ('draft', 'validated', 'in_review', 'suspended', 'published', 'rejected', 'withdrawn')),
      document text not null,
      sha256 text not null,
      cases text not null,
      level text check (level in ('major', 'minor', 'patch')),
      findings jsonb,
      mutation_score numeric,
      quorum integer check (quorum >= 1),
      decline_reason text check (decline_reason in
        ('needs_cases', 'impact_unacceptable', 'wording', 'evidence_missing', 'duplicate', 'none_fits')),
      author_user_id bigint not null references app_user,
      editor_user_ids bigint[] not null default '{}',
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint rule_draft_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
      check (state not in ('in_review', 'suspended', 'published', 'rejected') or quorum is not null),
      check ((state = 'rejected') = (decline_reason is not null))
    );
    create index rule_draft_newest on rule_draft (updated_at desc, id desc);
    create index rule_draft_of_set on rule_draft (family, key, state);

    create function guard_rule_draft() returns trigger language plpgsql as $$
      begin
        if old.state in ('published', 'rejected', 'withdrawn') then
          raise exception 'a draft that is % does not change', old.state;
        end if;
        if tg_op = 'DELETE' then
          if old.state not in ('draft', 'validated') then raise exception 'a draft that was submitted stays'; end if;
          return old;
        end if;
        if old.state = 'in_review' and (new.document, new.cases) is distinct from (old.document, old.cases) then
          raise exception 'a draft in review does not change';
        end if;
        if (new.document, new.cases) is distinct from (old.document, old.cases) and new.state <> 'draft' then
          raise exception 'an edited draft is a draft';
        end if;
        return new;
      end $$;
    create trigger rule_draft_guard before update or delete on rule_draft
      for each row execute function guard_rule_draft();

    create table rule_approval (
      draft_id text not null references rule_draft,
      user_id bigint not null references app_user,
      sha256 text not null,
      report_hash text,
      at timestamptz not null,
      primary key (draft_id, user_id, sha256)
    );
    create function guard_rule_approval() returns trigger language plpgsql as $$
      declare reviewed rule_draft;
      begin
        select * into reviewed from rule_draft d where d.id = new.draft_id;
        if reviewed.state <> 'in_review' or reviewed.sha256 <> new.sha256 then
          raise exception 'an approval is of the text that is in review';
        end if;
        if new.user_id = any (reviewed.editor_user_ids || reviewed.author_user_id) then
          raise exception 'nobody approves an own text';
        end if;
        return new;
      end $$;
    create trigger rule_approval_guard before insert on rule_approval
      for each row execute function guard_rule_approval();
  `);
  await platformTable(knex, 'rule_draft', ['select', 'insert', 'update', 'delete']);
  await platformTable(knex, 'rule_approval', ['select', 'insert']);
  await appendOnly(knex, 'rule_approval');
  const fields = ['family', 'key', 'base_version', 'state', 'sha256', 'level', 'quorum', 'decline_reason'];
  await audited(knex, 'rule_draft', 'id', fields);
  await audited(knex, 'rule_approval', 'draft_id', ['user_id', 'sha256', 'report_hash']);
}

/** What is asked for, and how it ended: neither changes, so that the timeline cannot be rewritten. */
async function schedules(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_schedule (
      id bigint generated always as identity primary key,
      versions jsonb not null check (jsonb_typeof(versions) = 'object'),
      replaces jsonb not null check (jsonb_typeof(replaces) = 'object'),
      active_from timestamptz not null,
      reason text not null,
      requested_by bigint not null references app_user,
      approved_by bigint[] not null default '{}',
      created_at timestamptz not null
    );
    create table rule_schedule_end (
      schedule_id bigint primary key references rule_schedule,
      outcome text not null check (outcome in ('activated', 'refused', 'withdrawn')),
      activation_id bigint references rule_activation,
      issue text,
      at timestamptz not null,
      check ((outcome = 'activated') = (activation_id is not null)),
      check ((outcome = 'refused') = (issue is not null))
    );
  `);
  for (const table of ['rule_schedule', 'rule_schedule_end']) {
    await platformTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
  await audited(knex, 'rule_schedule', 'id', ['versions', 'active_from', 'reason']);
  await audited(knex, 'rule_schedule_end', 'schedule_id', ['outcome', 'activation_id', 'issue']);
}

/** Work over many students in steps. `position` is where it goes on after a kill, with what it has found so far. */
async function jobs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_job (
      id text primary key,
      kind text not null check (kind in ('impact', 'replay', 'recompute')),
      organization_id text not null references organization,
      subject text not null,
      input jsonb not null,
      state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
      done integer not null default 0,
      total integer not null default 0,
      position jsonb,
      report jsonb,
      report_hash text,
      failures integer not null default 0,
      issue text,
      requested_by bigint,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (organization_id, id),
      check (report is null or state = 'done')
    );
    create index rule_job_open on rule_job (kind, created_at) where state in ('queued', 'running');
    create index rule_job_of_subject on rule_job (kind, subject, created_at desc);
    create index rule_job_of_organization on rule_job (organization_id, created_at desc);

    create function guard_rule_job() returns trigger language plpgsql as $$
      begin
        if old.state in ('done', 'failed', 'cancelled') then raise exception 'a job that has ended does not change'; end if;
        return new;
      end $$;
    create trigger rule_job_guard before update on rule_job for each row execute function guard_rule_job();

    create table rule_replay_row (
      id bigint generated always as identity primary key,
      organization_id text not null references organization,
      job_id text not null,
      stamp_id text not null,
      verdict text not null check (verdict in ('inputs_differ', 'rules_differ')),
      fields text[] not null,
      foreign key (organization_id, job_id) references rule_job (organization_id, id)
    );
    create index rule_replay_row_of_job on rule_replay_row (organization_id, job_id, id);
    create index sse_run_in_order on sse_run (organization_id, seq);
  `);
  await tenantTable(knex, 'rule_job', ['select', 'insert', 'update']);
  await audited(knex, 'rule_job', 'id', ['kind', 'subject', 'state']);
  await tenantTable(knex, 'rule_replay_row', ['select', 'insert']);
  await appendOnly(knex, 'rule_replay_row');
}

/** Each attestation holds the hash of the one before: none can be taken out or changed without the rest telling. */
async function proofs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_attestation (
      id bigint generated always as identity primary key,
      payload text not null,
      previous_hash text not null,
      hash text not null unique,
      at timestamptz not null,
      job_id text generated always as (payload::jsonb ->> 'jobId') stored unique,
      constraint rule_attestation_hash check (
        hash = encode(sha256(convert_to(previous_hash || payload, 'UTF8')), 'hex'))
    );
    create function chain_rule_attestation() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(4170224);
        if new.previous_hash <> coalesce((select a.hash from rule_attestation a order by a.id desc limit 1), '') then
          raise exception 'an attestation continues the newest one';
        end if;
        return new;
      end $$;
    create trigger rule_attestation_chain before insert on rule_attestation
      for each row execute function chain_rule_attestation();

    create table rule_oracle_pin (
      id bigint generated always as identity primary key,
      document_id text not null,
      pinned boolean not null,
      facts jsonb not null,
      at timestamptz not null
    );
    create index rule_oracle_pin_newest on rule_oracle_pin (document_id, id desc);
  `);
  for (const table of ['rule_attestation', 'rule_oracle_pin']) {
    await platformTable(knex, table, ['select', 'insert']);
    await appendOnly(knex, table);
  }
}
