// What is written for ever is sealed: every append-only table numbers its rows, and segments of a chain for each
// organization hold the digests of rows that are there.
import type { Knex } from 'knex';
import { appendOnly, platformTable } from './sql/tables.ts';

/** `chain` is an organization's id, or empty for rows of the platform. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$
    declare ledger regclass;
    begin
      for ledger in select t.tgrelid from pg_trigger t where t.tgname like '%\\_append\\_only' loop
        if not exists (select from pg_attribute a where a.attrelid = ledger and a.attidentity <> '') then
          execute format('alter table %s add column ledger_no bigint generated always as identity', ledger);
          execute format('create index on %s using brin (ledger_no)', ledger);
        end if;
      end loop;
    end $$;
    create index sse_run_by_seq on sse_run using brin (seq);

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
