// Long jobs over students (impact simulation, replay, recompute) in steps, the chain of attestations, and tables that
// the reference engine evaluates.
import type { Knex } from 'knex';
import { differingVerdicts } from '#backoffice/workbench/enums.ts';
import { jobKinds, jobStates } from '#core/long-jobs/enums.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { audited } from './sql/audit.ts';
import { oneOf } from './sql/enums.ts';
import { appendOnly, ledgerTable, platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await jobs(knex);
  await findings(knex);
  await proofs(knex);
  await engineFallbacks(knex);
}

/**
 * A job is leased for a time, with a token that grows with each lease. `position` is where it continues after a kill.
 */
async function jobs(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_job (
      id text,
      kind text not null check (${oneOf('kind', jobKinds)}),
      organization_id text not null references organization,
      subject text not null,
      input jsonb not null,
      state text not null check (${oneOf('state', jobStates)}),
      done integer not null default 0,
      total integer not null default 0,
      position jsonb,
      report jsonb,
      report_hash text,
      attempts integer not null default 0,
      issue text,
      requested_by bigint,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      token bigint not null default 0,
      held_until timestamptz,
      primary key (organization_id, id),
      check (report is null or state = 'done'),
      constraint rule_job_place check (organization_id <> '${platformOrganizationId}' or kind <> 'recompute')
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
  `);
  await tenantTable(knex, 'rule_job', ['select', 'insert', 'update']);
  await audited(knex, 'rule_job', 'id', ['kind', 'subject', 'state']);
}

/** A job over the whole platform has rows in every organization. */
async function findings(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_job_part (
      organization_id text not null references organization,
      job_id text not null,
      part jsonb not null,
      ledger_no bigint generated always as identity,
      primary key (organization_id, job_id)
    );
    create index rule_job_part_of_job on rule_job_part (job_id);

    create table rule_replay_row (
      id bigint generated always as identity,
      organization_id text not null references organization,
      job_id text not null,
      stamp_id text not null,
      verdict text not null check (${oneOf('verdict', differingVerdicts)}),
      fields text[] not null,
      primary key (organization_id, id)
    );
    create index rule_replay_row_of_job on rule_replay_row (organization_id, job_id, id);
    create index rule_replay_row_in_order on rule_replay_row (job_id, id);
  `);
  for (const table of ['rule_job_part', 'rule_replay_row']) await ledgerTable(knex, table);
}

/** Each attestation contains the hash of the previous one: a removed or changed one is detected. */
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
    create trigger rule_attestation_by_nobody before insert on rule_attestation
      for each row execute function guard_service_only();
    create function guard_attested_job() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_job j
          where j.id = new.payload::jsonb ->> 'jobId' and j.kind = 'replay' and j.requested_by is null) then return new; end if;
        if exists (select from ledger_segment s cross join lateral (select new.payload::jsonb -> 'ledger' as head) l
          where s.chain = l.head ->> 'chain' and s.seq = (l.head ->> 'count')::integer and s.hash = l.head ->> 'head')
          then return new; end if;
        raise exception 'an attestation is of a nightly replay or of a sealed chain';
      end $$;
    create trigger rule_attestation_guard before insert on rule_attestation
      for each row execute function guard_attested_job();
  `);
  await platformTable(knex, 'rule_attestation', ['select', 'insert']);
  await appendOnly(knex, 'rule_attestation');
}

async function engineFallbacks(knex: Knex): Promise<void> {
  await knex.raw(`
    create table rule_engine_fallback (
      id bigint generated always as identity primary key,
      document_id text not null,
      on_fallback boolean not null,
      facts jsonb not null,
      at timestamptz not null
    );
    create index rule_engine_fallback_newest on rule_engine_fallback (document_id, id desc);
    create trigger rule_engine_fallback_by_service before insert on rule_engine_fallback
      for each row execute function guard_service_only();
    create function guard_engine_fallback() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_version v where v.id = new.document_id) then return new; end if;
        raise exception 'a fallback is of a published version';
      end $$;
    create trigger rule_engine_fallback_guard before insert on rule_engine_fallback
      for each row execute function guard_engine_fallback();
  `);
  await platformTable(knex, 'rule_engine_fallback', ['select', 'insert']);
  await appendOnly(knex, 'rule_engine_fallback');
}
