// Reactions to events that failed: each is tried again by itself, and parked after a few attempts, until it is released.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
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
    create index outbox_retry_event on outbox_retry (event_id);
  `);
  await tenantTable(knex, 'outbox_retry', ['select', 'insert', 'update', 'delete']);
}
