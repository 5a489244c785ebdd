// Errors reported by browsers, kept for a limited time.
import type { Knex } from 'knex';
import { clientLevels } from '#identity/client-logs/schemas.ts';
import { oneOf } from './sql/enums.ts';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table client_log (
      organization_id text not null,
      id bigint generated always as identity,
      user_id bigint not null,
      at timestamptz not null,
      level text not null check (${oneOf('level', clientLevels)}),
      message text not null,
      code text,
      url text,
      client_at timestamptz,
      primary key (organization_id, id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index client_log_by_user on client_log (organization_id, user_id);
    create index client_log_at on client_log (at);
  `);
  await tenantTable(knex, 'client_log', ['select', 'insert', 'delete']);
  await knex.raw(`
    create table client_log_batch (
      organization_id text not null,
      user_id bigint not null,
      accepted_at timestamptz not null,
      primary key (organization_id, user_id),
      foreign key (organization_id, user_id) references app_user (organization_id, id)
    );
    create index client_log_batch_accepted_at on client_log_batch (accepted_at);
  `);
  await tenantTable(knex, 'client_log_batch');
}
