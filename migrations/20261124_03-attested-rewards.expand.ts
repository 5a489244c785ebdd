// The result of a nightly replay of the reward ledgers may join the chain of attestations.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function guard_attested_job() returns trigger language plpgsql as $$
      begin
        if acts_as_owner(tg_relid) or exists (select from rule_job j
          where j.id = new.payload::jsonb ->> 'jobId' and j.kind = 'replay' and j.requested_by is null) then return new; end if;
        if exists (select from ledger_segment s cross join lateral (select new.payload::jsonb -> 'ledger' as head) l
          where s.chain = l.head ->> 'chain' and s.seq = (l.head ->> 'count')::integer and s.hash = l.head ->> 'head')
          then return new; end if;
        if exists (select from mastery_event e
          where e.organization_id = new.payload::jsonb -> 'rewards' ->> 'organizationId') then return new; end if;
        raise exception 'an attestation is of a nightly replay, of a sealed chain or of ledgers of growth';
      end $$;
  `);
}
