// Decision packets: the frozen evidence on which a team decided about a student's tier, and the decision.
import type { Knex } from 'knex';
import { supportTiers } from '#support/interventions/engine/vocabulary.ts';
import { packetStatuses, reviewTypes, tierDecisions } from '#support/rti/engine/vocabulary.ts';
import { neverChanges } from './sql/changeable.ts';
import { oneOf } from './sql/enums.ts';
import { neverRemoved, tenantTable } from './sql/tables.ts';

const tierIn = (column: string): string => `${column} in (${supportTiers.join(', ')})`;

/** Opener, student and purpose are immutable. */
const frozen = ['id', 'organization_id', 'student_id', 'review_type', 'opened_by', 'opened_at', 'time_zone'];

/** Either all of them are set or none. */
const assembled = 'assembled_at, from_tier, evidence_from, evidence_hash, recommendation, facts';
const deferral = 'deferral_code, defer_until';

/** Codes are values of rule documents. Dates of a packet are in `time_zone`. A closed packet is immutable. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table decision_packet (
      id text,
      organization_id text not null,
      student_id bigint not null,
      review_type text not null check (${oneOf('review_type', reviewTypes)}),
      status text not null check (${oneOf('status', packetStatuses)}),
      alert_id text,
      opened_by bigint not null,
      opened_at timestamptz not null,
      time_zone text not null,
      assembled_at timestamptz,
      from_tier integer check (${tierIn('from_tier')}),
      evidence_from date,
      evidence jsonb not null default '[]',
      evidence_hash text,
      recommendation jsonb,
      facts jsonb,
      gates jsonb not null default '[]',
      decision text check (${oneOf('decision', tierDecisions)}),
      to_tier integer check (${tierIn('to_tier')}),
      decision_id text,
      movement_id bigint,
      override_code text,
      deferral_code text,
      defer_until date,
      reject_reason_code text,
      closed_by bigint,
      closed_at timestamptz,
      rule_versions jsonb not null,
      primary key (organization_id, id),
      check (num_nulls(${assembled}) in (0, 6)),
      check (status <> 'draft' or (assembled_at is null and evidence = '[]' and gates = '[]')),
      check (status not in ('under_review', 'deferred', 'approved') or assembled_at is not null),
      check ((status = 'approved') = (decision_id is not null)),
      check ((decision_id is null) = (to_tier is null)),
      check (status <> 'approved' or (decision is not null and decision <> 'defer')),
      check ((movement_id is not null) = (status = 'approved' and to_tier <> from_tier)),
      check (override_code is null or status = 'approved'),
      check (num_nulls(${deferral}) = case when decision is not distinct from 'defer' then 0 else 2 end),
      check (status <> 'deferred' or decision = 'defer'),
      check (status not in ('draft', 'under_review') or decision is null),
      check ((status = 'rejected') = (reject_reason_code is not null)),
      check ((status in ('approved', 'rejected')) = (closed_at is not null)),
      check (closed_by is null or closed_at is not null),
      check (status <> 'approved' or closed_by is not null),
      foreign key (organization_id, student_id) references student_support (organization_id, student_id)
    );
    create unique index decision_packet_one_open on decision_packet (organization_id, student_id, review_type)
      where closed_at is null;
    create index decision_packet_queue on decision_packet (organization_id, status, opened_at, id);
    create index decision_packet_by_student on decision_packet (organization_id, student_id, opened_at, id);
    create index decision_packet_due on decision_packet (organization_id, defer_until) where status = 'deferred';

    create function guard_closed_packet() returns trigger language plpgsql as $$
    begin
      raise exception 'a closed packet stays as it is' using errcode = 'restrict_violation';
    end $$;
    create trigger decision_packet_closed before update on decision_packet
      for each row when (old.closed_at is not null) execute function guard_closed_packet();
  `);
  await tenantTable(knex, 'decision_packet', ['select', 'insert', 'update']);
  await neverChanges(knex, 'decision_packet', frozen);
  await neverRemoved(knex, 'decision_packet');
}
