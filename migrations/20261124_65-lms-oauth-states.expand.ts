// State of an OAuth flow while an administrator is at Google, until the browser returns.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lms_oauth_state (
      state_hash text primary key,
      organization_id text not null,
      connection_id text not null,
      cookie_hash text not null,
      nonce text not null,
      encrypted_verifier text not null,
      redirect_uri text not null,
      expires_at timestamptz not null,
      foreign key (organization_id, connection_id) references lms_connection (organization_id, id) on delete cascade
    );
    create index lms_oauth_state_by_connection on lms_oauth_state (organization_id, connection_id);
    create index lms_oauth_state_expires_at on lms_oauth_state (expires_at);
  `);
  await tenantTable(knex, 'lms_oauth_state', ['select', 'insert', 'delete']);
}
