// What happened to accounts and to personal data, by whom and from where: kept for a time, never changed.
import type { Knex } from 'knex';
import { tenantTable } from './sql/tables.ts';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table security_event (
      id bigint generated always as identity primary key,
      organization_id text references organization,
      kind text not null check (kind ~ '^[a-z_]{1,40}$'),
      user_id bigint,
      address_hash text,
      details jsonb not null,
      at timestamptz not null
    );
    create index security_event_newest on security_event (organization_id, id desc);
    create index security_event_by_user on security_event (user_id, id desc);
    create index security_event_by_age on security_event (at);
  `);
  await tenantTable(knex, 'security_event', ['select', 'insert', 'delete']);
  await keptUntilPurged(knex, 'security_event');
}

/** Rows are never changed; the purge, which says so in its transaction, may remove those whose time has passed. */
async function keptUntilPurged(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    create function refuse_all_but_purge() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('app.purge', true) = tg_table_name then return old; end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$;
    create trigger ${table}_kept before update or delete on ${table}
      for each row execute function refuse_all_but_purge();
    create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_all_but_purge();
  `);
}
