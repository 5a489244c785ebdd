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
          execute format('alter table %s add column ledger_no bigint generated always as identity unique', ledger);
        end if;
      end loop;
    end $$;
    alter table sse_run add unique (seq);

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
  await heads(knex);
}

/** Besides nightly replays the heads of chains are attested: of segments that are there. */
async function heads(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function guard_attested_job() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_job j
          where j.id = new.payload::jsonb ->> 'jobId' and j.kind = 'replay' and j.requested_by is null) then return new; end if;
        if exists (select from ledger_segment s cross join lateral (select new.payload::jsonb -> 'ledger' as head) l
          where s.chain = l.head ->> 'chain' and s.seq = (l.head ->> 'count')::integer and s.hash = l.head ->> 'head')
          then return new; end if;
        raise exception 'an attestation is of a nightly replay or of a sealed chain';
      end $$;
  `);
}
