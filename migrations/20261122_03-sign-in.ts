// Sessions and all ways to sign in, limits of guessing, second factors, and account recovery.
import type { Knex } from 'knex';
import { attemptKinds, identityProviders, revokeReasons } from '#identity/people/records/enums.ts';
import { audited } from './sql/audit.ts';
import { onlyChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await sessions(knex);
  await otherWays(knex);
  await limits(knex);
  await secondFactor(knex);
}

async function sessions(knex: Knex): Promise<void> {
  await knex.raw(`
    create table auth_session (
      id text,
      organization_id text not null references organization,
      user_id bigint not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      second_factor boolean not null default false,
      revoked_reason text check (${oneOf('revoked_reason', revokeReasons)}),
      check ((revoked_at is null) = (revoked_reason is null)),
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index auth_session_live on auth_session (organization_id, user_id) where revoked_at is null;
    create index auth_session_by_end on auth_session (least(revoked_at, expires_at));

    create table refresh_token (
      token_hash text primary key,
      organization_id text not null references organization,
      session_id text not null,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz,
      foreign key (organization_id, session_id) references auth_session (organization_id, id)
    );
    create unique index refresh_token_one_unspent on refresh_token (organization_id, session_id) where used_at is null;
  `);
  for (const table of ['auth_session', 'refresh_token'])
    await tenantTable(knex, table, ['select', 'insert', 'update', 'delete']);
  await onlyChanges(knex, 'refresh_token', ['used_at']);
  await onlyChanges(knex, 'auth_session', ['revoked_at', 'revoked_reason']);
}

async function otherWays(knex: Knex): Promise<void> {
  await knex.raw(`
    create table quick_code (
      organization_id text not null,
      student_id bigint not null,
      code_hash text not null constraint quick_code_hash_unique unique,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (organization_id, student_id),
      foreign key (organization_id, student_id) references app_user (organization_id, id)
    );

    create table external_identity (
      organization_id text not null,
      user_id bigint not null,
      provider text not null check (${oneOf('provider', identityProviders)}),
      subject text not null,
      created_at timestamptz not null,
      by_email boolean not null default false,
      constraint external_identity_pk primary key (provider, subject),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index external_identity_by_user on external_identity (organization_id, user_id);

    create table google_state (
      state_hash text primary key,
      nonce text not null,
      encrypted_verifier text not null,
      redirect_uri text not null,
      return_to text,
      cookie_hash text not null,
      handoff_challenge text,
      expires_at timestamptz not null
    );

    create table handoff_code (
      code_hash text primary key,
      organization_id text not null references organization,
      user_id bigint not null,
      expires_at timestamptz not null,
      handoff_challenge text,
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
  `);
  for (const table of ['quick_code', 'external_identity', 'handoff_code']) await tenantTable(knex, table);
  await platformTable(knex, 'google_state', ['select', 'insert', 'delete']);
  await audited(knex, 'quick_code', 'student_id', ['expires_at']);
  await audited(knex, 'external_identity', 'user_id', ['provider']);
}

/** Attempts in progress count in their windows. Lookups of foreign e-mail addresses by administrators are counted. */
async function limits(knex: Knex): Promise<void> {
  await knex.raw(`
    create table attempt_window (
      kind text not null check (${oneOf('kind', attemptKinds)}),
      subject_hash text not null,
      failed_at timestamptz[] not null default '{}',
      locked_until timestamptz,
      touched_at timestamptz not null,
      reserved jsonb not null default '[]',
      primary key (kind, subject_hash)
    );
    create index attempt_window_by_age on attempt_window (touched_at);

    create table email_conflict (
      id bigint generated always as identity,
      organization_id text not null references organization,
      user_id bigint not null,
      at timestamptz not null,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index email_conflict_by_user on email_conflict (organization_id, user_id, at);
  `);
  await platformTable(knex, 'attempt_window', ['select', 'insert', 'update', 'delete']);
  await tenantTable(knex, 'email_conflict', ['select', 'insert', 'delete']);
  await audited(knex, 'email_conflict', 'user_id', []);
}

/** The encrypted shared secret, spent codes, and recovery codes for a lost device. */
async function secondFactor(knex: Knex): Promise<void> {
  await knex.raw(`
    create table totp (
      user_id bigint,
      organization_id text not null references organization,
      encrypted_secret text not null,
      enrolled_at timestamptz not null,
      confirmed_at timestamptz,
      confirmed_session_id text,
      primary key (organization_id, user_id),
      check ((confirmed_at is null) = (confirmed_session_id is null)),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );

    create table totp_spent_code (
      user_id bigint not null,
      step bigint not null,
      organization_id text not null references organization,
      primary key (organization_id, user_id, step),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );

    create table totp_recovery_code (
      user_id bigint not null,
      code_hash text not null,
      organization_id text not null references organization,
      primary key (organization_id, user_id, code_hash),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );

    create table password_recovery (
      code_hash text primary key,
      organization_id text not null references organization,
      user_id bigint not null,
      expires_at timestamptz not null,
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
  `);
  await tenantTable(knex, 'totp');
  for (const table of ['totp_spent_code', 'totp_recovery_code', 'password_recovery'])
    await tenantTable(knex, table, ['select', 'insert', 'delete']);
  await audited(knex, 'totp', 'user_id', ['confirmed_at']);
}
