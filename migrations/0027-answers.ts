// Numbers that a rule document owns leave the tables: a document may change them, and rows are judged by what they pinned.
// A request for a recompute remembers what its student was last judged under, and how often in a row it has failed.
import type { Knex } from 'knex';

const ownedByRules: readonly (readonly [table: string, constraint: string])[] = [
  ['diagnostic_estimate', 'diagnostic_estimate_check1'],
  ['diagnostic_response', 'diagnostic_response_reported_latency_ms_check'],
  ['practice_response', 'practice_response_reported_latency_ms_check'],
  ['warmup_session', 'warmup_session_last_at_ms_check'],
  ['warmup_event', 'warmup_event_at_ms_check'],
];

export async function up(knex: Knex): Promise<void> {
  for (const [table, constraint] of ownedByRules)
    await knex.raw('alter table ?? drop constraint ??', [table, constraint]);
  await knex.raw(`
    alter table diagnostic_response add constraint diagnostic_response_reported_latency check (reported_latency_ms >= 0);
    alter table practice_response add constraint practice_response_reported_latency check (reported_latency_ms >= 0);
    alter table warmup_session add constraint warmup_session_last_at check (last_at_ms >= 0);
    alter table warmup_event add constraint warmup_event_at check (at_ms >= 0);

    alter table sse_recompute_request
      add column judged_bundle_id text references rule_bundle,
      add column judged_at timestamptz,
      add column attempts integer not null default 0 check (attempts >= 0),
      add column next_try_at timestamptz,
      add column parked_at timestamptz,
      add constraint sse_recompute_request_judged check ((judged_bundle_id is null) = (judged_at is null));
  `);
}
