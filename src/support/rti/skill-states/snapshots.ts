// Results of runs for sub-skills since the cursor, with the further input of layer A: the end of the newest session, and the
// trend of readings at that time.

import { sessionVoidIn } from '#assessment/measurement/index.ts';
import type { SkillStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { byStudent } from '../by-student.ts';
import type { LayerAQuestion } from '../engine/skills/layer-a.ts';

export interface StatusSnapshot {
  readonly id: number;
  readonly studentId: number;
  readonly schoolYear: string;
  readonly subSkillCode: string;
  /** Null unless decided. */
  readonly status: SkillStatus | null;
  /** ISO 8601. */
  readonly decidedAt: string;
  /** Whether the student was halted in that run. */
  readonly halted: boolean;
  /** The newest session of the evidence and when it ended; null without evidence, or when it is voided now. */
  readonly session: { readonly id: string; readonly endedAt: string } | null;
}

type SnapshotRow = Omit<StatusSnapshot, 'session' | 'halted'> & {
  readonly runId: string;
  readonly newestUnitRef: string | null;
};

const sessionOfSnapshot = "split_part(s.newest_unit_ref, '/', 1)";

/** In the order of the runs. `after`: the snapshot of the student's cursor. */
export async function snapshotsAfter(
  trx: Trx,
  organizationId: string,
  followed: readonly { readonly studentId: number; readonly after: number }[],
): Promise<StatusSnapshot[]> {
  const rows = await rowsOf<SnapshotRow>(
    trx,
    `select s.id, s.student_id, s.school_year, s.sub_skill_code, s.status, s.decided_at, s.run_id,
       case when ${sessionVoidIn({ organizationId: anyOrganization, refId: sessionOfSnapshot })} is null
         then s.newest_unit_ref end as newest_unit_ref
     from unnest(:studentIds::bigint[], :after::bigint[]) as t (student_id, after)
     cross join lateral (
       select s.id, s.student_id, s.school_year, s.sub_skill_code, s.status, s.decided_at, s.run_id, s.newest_unit_ref
       from sse_skill_snapshot s
       where s.organization_id = ${anyOrganization} and s.student_id = t.student_id and s.id > t.after offset 0) s
     order by s.id`,
    {
      organizationId,
      studentIds: followed.map(({ studentId }) => studentId),
      after: followed.map(({ after }) => after),
    },
    keptPlan,
  );
  const runs = await runsOf(trx, organizationId, rows);
  return rows.map(({ runId, newestUnitRef, ...row }) => {
    const id = newestUnitRef?.split('/')[0];
    const { halted = false, ends } = runs.get(runId) ?? {};
    const endedAt = id === undefined ? undefined : ends?.get(id);
    return { ...row, halted, session: id !== undefined && endedAt !== undefined ? { id, endedAt } : null };
  });
}

interface RunOfSnapshots {
  readonly halted: boolean;
  /** Ends of the sessions, by session. */
  readonly ends: Map<string, string>;
}

/** The evidence of each run is decoded once. */
async function runsOf(
  trx: Trx,
  organizationId: string,
  rows: readonly SnapshotRow[],
): Promise<ReadonlyMap<string, RunOfSnapshots>> {
  if (rows.length === 0) return new Map();
  const years = new Map(rows.map(({ runId, schoolYear }) => [runId, schoolYear]));
  const found = await rowsOf<{ runId: string; halted: boolean; sessionId: string | null; endedAt: string }>(
    trx,
    `select r.id as run_id, r.halted, e.session ->> 'sessionId' as session_id, e.session ->> 'endedAt' as ended_at
     from unnest(:runIds::text[], :years::text[]) as t (run_id, school_year)
     cross join lateral (select r.id, r.halted, r.input from sse_run r
       where r.organization_id = ${anyOrganization} and r.id = t.run_id and r.school_year = t.school_year limit 1) r
     left join lateral json_array_elements(r.input -> 'sessions') as e (session) on true`,
    { organizationId, runIds: [...years.keys()], years: [...years.values()] },
    keptPlan,
  );
  const runs = new Map<string, RunOfSnapshots>();
  for (const { runId, halted, sessionId, endedAt } of found) {
    const run = runs.get(runId) ?? { halted, ends: new Map() };
    runs.set(runId, run);
    if (sessionId !== null) run.ends.set(sessionId, endedAt);
  }
  return runs;
}

export type SnapshotTrend = LayerAQuestion['trend'];

interface TrendRow {
  readonly studentId: number;
  readonly measureCode: string;
  readonly schoolYear: string;
  readonly trendType: Exclude<SnapshotTrend, 'none'>;
  readonly evaluatedAt: string;
}

/** The trend of a student's measure at the time of a snapshot, from the readings of its school year until then. */
export type TrendAt = (
  measureCode: string | null,
  at: Pick<StatusSnapshot, 'studentId' | 'schoolYear' | 'decidedAt'>,
) => SnapshotTrend;

export async function trendsOf(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<TrendAt> {
  const rows = await rowsOf<TrendRow>(
    trx,
    `select t.student_id, t.measure_code, t.school_year, t.trend_type, t.evaluated_at from cbm_trend t
     where t.organization_id = ${anyOrganization} and t.student_id = any(:studentIds::bigint[]) order by t.id desc`,
    { organizationId, studentIds: [...studentIds] },
    keptPlan,
  );
  const ofStudent = byStudent(rows);
  return (measureCode, { studentId, schoolYear, decidedAt }) =>
    ofStudent
      .get(studentId)
      ?.find((row) => row.measureCode === measureCode && row.schoolYear === schoolYear && row.evaluatedAt <= decidedAt)
      ?.trendType ?? 'none';
}
