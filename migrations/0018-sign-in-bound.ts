// A sign-in with Google belongs to the browser that began it; an identity at the provider, once seen, to one account.
// And what administrators learn about foreign e-mail addresses is counted.
import type { Knex } from 'knex';
import { audited } from './sql/audit.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from google_state;
    alter table google_state
      add column cookie_hash text not null,
      add column handoff_challenge text;
    alter table handoff_code add column handoff_challenge text;
    alter table external_identity
      alter column organization_id drop not null,
      add column by_email boolean not null default false;

    create table email_conflict (
      id bigint generated always as identity primary key,
      organization_id text references organization,
      user_id bigint not null,
      at timestamptz not null,
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index email_conflict_by_user on email_conflict (organization_id, user_id, at);
  `);
  await tenantTable(knex, 'email_conflict', ['select', 'insert', 'delete']);
  await audited(knex, 'email_conflict', 'user_id', []);
}
