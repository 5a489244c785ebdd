// Finds when each sub-skill was last measured: the day of the newest session behind its status.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface SnapshotsOf {
  readonly organizationId: string;
  readonly snapshotIds: readonly number[];
  /** IANA name. */
  readonly timeZone: string;
}

/** Returns local dates by sub-skill. The evidence of a run is parsed once for all its snapshots. */
export async function lastMeasuredOn(
  trx: Trx,
  { organizationId, snapshotIds, timeZone }: SnapshotsOf,
): Promise<ReadonlyMap<string, string>> {
  if (snapshotIds.length === 0) return new Map();
  const rows = await rowsOf<{ subSkillCode: string; measuredOn: string }>(
    trx,
    `with shown as materialized (
       select s.run_id, s.school_year, s.sub_skill_code, split_part(s.newest_unit_ref, '/', 1) as session_id
       from sse_skill_snapshot s
       where s.organization_id = :organizationId and s.id = any(:snapshotIds::bigint[]) and s.newest_unit_ref is not null
     ), met as materialized (
       select r.id as run_id, e.session ->> 'sessionId' as session_id, (e.session ->> 'endedAt')::timestamptz as ended_at
       from sse_run r
       cross join lateral json_array_elements(r.input -> 'sessions') as e (session)
       where r.organization_id = :organizationId and (r.id, r.school_year) in (select run_id, school_year from shown)
     )
     select shown.sub_skill_code, to_char(max(met.ended_at) at time zone :timeZone, 'YYYY-MM-DD') as measured_on
     from shown join met on met.run_id = shown.run_id and met.session_id = shown.session_id
     group by shown.sub_skill_code`,
    { organizationId, snapshotIds: [...snapshotIds], timeZone },
  );
  return new Map(rows.map(({ subSkillCode, measuredOn }) => [subSkillCode, measuredOn]));
}
