// Tables that all capabilities use: events and their delivery, schedules, limits, stored responses for repeated
// requests, and seals of append-only tables. Also security events and alerts.
import type { Knex } from 'knex';
import { alertKinds, alertSeverities } from '#core/module/alerts.ts';
import { audited } from './sql/audit.ts';
import { oneOf } from './sql/enums.ts';
import { appendOnly, ledgerTable, platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await events(knex);
  await schedules(knex);
  await requests(knex);
  await seals(knex);
  await alerts(knex);
  await security(knex);
  await exports(knex);
}

/**
 * Events are written with their facts and relayed in lanes, in which organizations take turns. A failed reaction is
 * retried by itself and parked after a few attempts.
 */
async function events(knex: Knex): Promise<void> {
  await knex.raw(`
    create table outbox (
      id bigint generated always as identity,
      organization_id text not null references organization,
      lane smallint not null default 0,
      topic text not null,
      payload jsonb not null,
      created_at timestamptz not null,
      relayed_at timestamptz,
      primary key (organization_id, id)
    );
    create index outbox_waiting on outbox (lane, organization_id, id) where relayed_at is null;

    create table outbox_retry (
      organization_id text not null references organization,
      event_id bigint not null,
      reaction text not null,
      attempts integer not null,
      next_at timestamptz not null,
      last_error text,
      parked_at timestamptz,
      primary key (organization_id, event_id, reaction)
    );
    create index outbox_retry_waiting on outbox_retry (next_at) where parked_at is null;
  `);
  for (const table of ['outbox', 'outbox_retry'])
    await tenantTable(knex, table, ['select', 'insert', 'update', 'delete']);
}

/**
 * When each schedule last ran, and what was done on which day. `subject` is an organization's id, or empty for work of
 * the whole platform. `held_until` is the machine's time.
 */
async function schedules(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schedule (
      name text primary key,
      last_run_at timestamptz not null
    );

    create table schedule_day (
      name text not null,
      subject text not null,
      day date not null,
      held_until timestamptz not null,
      failures integer not null default 0,
      done_at timestamptz,
      primary key (name, subject, day)
    );
    create index schedule_day_open on schedule_day (day) where done_at is null;
  `);
  await platformTable(knex, 'schedule', ['select', 'insert', 'update']);
  await platformTable(knex, 'schedule_day', ['select', 'insert', 'update', 'delete']);
}

async function requests(knex: Knex): Promise<void> {
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
      encrypted_answer text not null,
      kept_at timestamptz not null,
      subject_ids bigint[],
      primary key (caller, operation, key)
    );
    create index idempotent_answer_by_age on idempotent_answer (kept_at);
    create index idempotent_answer_by_subject on idempotent_answer using gin (subject_ids);
  `);
  await platformTable(knex, 'rate_limit', ['select', 'insert', 'update', 'delete']);
  await platformTable(knex, 'idempotent_answer', ['select', 'insert', 'update', 'delete']);
}

/**
 * Segments of a chain for each organization, with the digests of ledger rows. `chain` is an organization's id, or empty
 * for rows of the platform.
 */
async function seals(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ledger_mark (
      table_name text primary key,
      sealed bigint not null,
      pending bigint,
      horizon xid8,
      check (pending >= sealed),
      check (horizon is null or pending is not null)
    );

    create table ledger_segment (
      id bigint generated always as identity primary key,
      chain text not null,
      seq integer not null,
      table_name text not null,
      columns text[] not null,
      keys bigint[] not null check (cardinality(keys) > 0),
      digests text not null,
      previous_hash text not null,
      hash text not null,
      at timestamptz not null,
      unique (chain, seq)
    );
  `);
  await platformTable(knex, 'ledger_mark', ['select', 'insert', 'update']);
  await platformTable(knex, 'ledger_segment', ['select', 'insert']);
  await appendOnly(knex, 'ledger_segment');
}

async function alerts(knex: Knex): Promise<void> {
  await knex.raw(`
    create table platform_alert (
      id bigint generated always as identity,
      organization_id text not null references organization,
      kind text not null check (${oneOf('kind', alertKinds)}),
      code text not null,
      severity text not null check (${oneOf('severity', alertSeverities)}),
      student_id bigint,
      dedupe_key text not null,
      details jsonb not null,
      at timestamptz not null,
      rule_version text,
      primary key (organization_id, id),
      unique (organization_id, dedupe_key),
      check (kind = 'qa' or student_id is not null),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index platform_alert_by_student on platform_alert (organization_id, student_id, at desc, id desc);
    create index platform_alert_newest on platform_alert (organization_id, at desc, id desc);
  `);
  await ledgerTable(knex, 'platform_alert');
}

/**
 * Rows are immutable. The purge, which identifies itself in its transaction, may delete those whose period has passed.
 */
async function security(knex: Knex): Promise<void> {
  await knex.raw(`
    create table security_event (
      id bigint generated always as identity,
      organization_id text not null references organization,
      kind text not null check (kind ~ '^[a-z_]{1,40}$'),
      user_id bigint,
      address_hash text,
      details jsonb not null,
      at timestamptz not null,
      primary key (organization_id, id)
    );
    create index security_event_by_user on security_event (organization_id, user_id, id desc);
    create index security_event_by_age on security_event (at);
    create trigger security_event_kept before update or delete on security_event
      for each row execute function refuse_all_but_purge();
    create trigger security_event_no_truncate before truncate on security_event
      for each statement execute function refuse_all_but_purge();
  `);
  await tenantTable(knex, 'security_event', ['select', 'insert', 'delete']);
}

/** Each export of a person's data adds a row, which is audited. */
async function exports(knex: Knex): Promise<void> {
  await knex.raw(`
    create table data_export (
      id bigint generated always as identity,
      organization_id text not null,
      student_id bigint not null,
      exported_by bigint not null,
      at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );
    create index data_export_by_student on data_export (organization_id, student_id, id desc);
  `);
  await ledgerTable(knex, 'data_export');
  await audited(knex, 'data_export', 'student_id', ['exported_by']);
}
