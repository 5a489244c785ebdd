// Stored measurements of sub-skills by session, and the states that followed from them, over school years.

import { sessionVoidIn } from '#assessment/measurement/index.ts';
import type { SkillStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { SkillState } from '../engine/vocabulary.ts';

/** One session that was the newest of a decided snapshot. */
export interface SkillMeasurement {
  readonly studentId: number;
  readonly subSkillCode: string;
  readonly sessionId: string;
  /** ISO 8601 instant. */
  readonly endedAt: string;
  /** Local date of `endedAt`. */
  readonly endedOn: string;
  /** The status of the last such snapshot. */
  readonly status: SkillStatus;
  readonly snapshotId: number;
  readonly firstSnapshotId: number;
}

export interface SkillStateRow {
  readonly id: number;
  readonly organizationId: string;
  readonly schoolYear: string;
  readonly studentId: number;
  readonly subSkillCode: string;
  readonly fromState: SkillState | null;
  readonly state: SkillState;
  readonly ruleId: string;
  readonly snapshotId: number;
  readonly decidedAt: string;
  /** Local date of that snapshot. */
  readonly decidedOn: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/** In the order of sessions; the newest `limit` of each sub-skill, or all. Voided sessions are no measurements. */
export const measurementsOf = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  limit: number | null = null,
): Promise<SkillMeasurement[]> =>
  rowsOf(
    trx,
    `select m.student_id, m.sub_skill_code, m.session_id, m.ended_at, m.ended_on, m.status, m.snapshot_id, m.first_snapshot_id
     from (
       select m.student_id, m.sub_skill_code, m.session_id, m.ended_at, m.ended_on, m.status, m.snapshot_id,
         m.first_snapshot_id, row_number() over (partition by m.student_id, m.sub_skill_code
           order by m.ended_at desc, m.session_id desc) as place
       from skill_measurement m
       where m.organization_id = :organizationId and m.student_id = any(:studentIds::bigint[])
         and ${sessionVoidIn({ organizationId: ':organizationId', refId: 'm.session_id' })} is null) m
     where :limit::integer is null or m.place <= :limit
     order by m.student_id, m.sub_skill_code, m.ended_at, m.session_id`,
    { organizationId, studentIds: [...studentIds], limit },
    keptPlan,
  );

/** Every change of state of these students, in order. */
export const statesOf = (trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<SkillStateRow[]> =>
  rowsOf(
    trx,
    `select s.id, s.organization_id, s.school_year, s.student_id, s.sub_skill_code, s.from_state, s.state, s.rule_id,
       s.snapshot_id, s.decided_at, s.decided_on, s.facts, s.rule_versions
     from skill_state s
     where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[]) order by s.id`,
    { organizationId, studentIds: [...studentIds] },
    keptPlan,
  );

/** An existing row gets the latest status. */
export async function keepMeasurements(
  trx: Trx,
  organizationId: string,
  measured: readonly SkillMeasurement[],
): Promise<void> {
  if (measured.length === 0) return;
  await trx.raw(
    `insert into skill_measurement as m (organization_id, student_id, sub_skill_code, session_id, ended_at, ended_on,
       status, first_snapshot_id, snapshot_id)
     select :organizationId, r.* from unnest(:studentIds::bigint[], :subSkillCodes::text[], :sessionIds::text[],
       :endedAt::timestamptz[], :endedOn::date[], :statuses::text[], :firstSnapshotIds::bigint[],
       :snapshotIds::bigint[]) as r
     on conflict (organization_id, student_id, sub_skill_code, session_id) do update
       set status = excluded.status, snapshot_id = excluded.snapshot_id
       where m.snapshot_id <> excluded.snapshot_id`,
    {
      organizationId,
      studentIds: measured.map(({ studentId }) => studentId),
      subSkillCodes: measured.map(({ subSkillCode }) => subSkillCode),
      sessionIds: measured.map(({ sessionId }) => sessionId),
      endedAt: measured.map(({ endedAt }) => endedAt),
      endedOn: measured.map(({ endedOn }) => endedOn),
      statuses: measured.map(({ status }) => status),
      firstSnapshotIds: measured.map(({ firstSnapshotId }) => firstSnapshotId),
      snapshotIds: measured.map(({ snapshotId }) => snapshotId),
    },
  );
}
