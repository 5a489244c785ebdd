// Further ways to sign in, and what limits guessing: quick codes, identities at a provider, attempts.
import type { Knex } from 'knex';
import { platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
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
      provider text not null check (provider in ('google')),
      subject text not null,
      created_at timestamptz not null,
      constraint external_identity_pk primary key (provider, subject),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index external_identity_by_user on external_identity (organization_id, user_id);
    create table google_state (
      state_hash text primary key,
      nonce text not null,
      sealed_verifier text not null,
      redirect_uri text not null,
      return_to text,
      expires_at timestamptz not null
    );
    create table handoff_code (
      code_hash text primary key,
      organization_id text references organization,
      user_id bigint not null,
      expires_at timestamptz not null,
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create table attempt_window (
      kind text not null check (kind in ('login_email', 'login_address', 'quick_code_address')),
      subject_hash text not null,
      failed_at timestamptz[] not null default '{}',
      locked_until timestamptz,
      touched_at timestamptz not null,
      primary key (kind, subject_hash)
    );
    create index attempt_window_by_age on attempt_window (touched_at);
  `);
  for (const table of ['quick_code', 'external_identity', 'handoff_code']) await tenantTable(knex, table);
  await platformTable(knex, 'google_state', ['select', 'insert', 'delete']);
  await platformTable(knex, 'attempt_window', ['select', 'insert', 'update', 'delete']);
}
