// A second factor for administrators: the shared secret, encrypted; which codes were spent; what a session has shown. And the
// way back for who has lost it all.
import type { Knex } from 'knex';
import { audited } from './sql/audit.ts';
import { tenantTable } from './sql/tables.ts';

const person = 'foreign key (organization_id, user_id) references app_user (organization_id, id)';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table totp (
      user_id bigint primary key,
      organization_id text references organization,
      sealed_secret text not null,
      enrolled_at timestamptz not null,
      confirmed_at timestamptz,
      confirmed_session_id text,
      check ((confirmed_at is null) = (confirmed_session_id is null)),
      ${person}
    );
    create table totp_spent_code (
      user_id bigint not null,
      step bigint not null,
      organization_id text references organization,
      primary key (user_id, step),
      ${person}
    );
    create table totp_recovery_code (
      user_id bigint not null,
      code_hash text not null,
      organization_id text references organization,
      primary key (user_id, code_hash),
      ${person}
    );
    create table password_recovery (
      code_hash text primary key,
      organization_id text references organization,
      user_id bigint not null,
      expires_at timestamptz not null,
      ${person}
    );
    alter table auth_session add column second_factor boolean not null default false;
  `);
  await tenantTable(knex, 'totp');
  await tenantTable(knex, 'totp_spent_code', ['select', 'insert', 'delete']);
  await tenantTable(knex, 'totp_recovery_code', ['select', 'insert', 'delete']);
  await tenantTable(knex, 'password_recovery', ['select', 'insert', 'delete']);
  await audited(knex, 'totp', 'user_id', ['confirmed_at']);
}
