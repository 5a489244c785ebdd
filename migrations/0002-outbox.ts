// Promises written together with their facts, which the relay turns into jobs; and when each schedule last ran.
import type { Knex } from 'knex';
import { platformTable, tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table outbox (
      id bigint generated always as identity primary key,
      organization_id text not null references organization,
      topic text not null,
      payload jsonb not null,
      created_at timestamptz not null,
      relayed_at timestamptz
    );
    create index outbox_waiting on outbox (id) where relayed_at is null;
    create function outbox_announce() returns trigger language plpgsql as $$
    begin
      perform pg_notify('outbox', '');
      return null;
    end $$;
    create trigger outbox_announce after insert on outbox for each statement execute function outbox_announce();
  `);
  await tenantTable(knex, 'outbox', ['select', 'insert', 'update', 'delete']);
  await knex.raw(`
    create table schedule (
      name text primary key,
      last_run_at timestamptz not null
    );
  `);
  await platformTable(knex, 'schedule', ['select', 'insert', 'update']);
}
