// Reads the measurements shown to families: the last run of each month, and finished diagnostics.

import { accountsIn, voidIn } from '#assessment/measurement/index.ts';
import type { TileStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { MonthRun } from '../engine/seasons.ts';

/** Triggers of runs that were not caused by the child's work. */
const withoutMeasuring = ['rule_activation', 'grade_changed', 'evidence_corrected', 'admin'];

export interface ChildRun extends MonthRun {
  readonly studentId: number;
}

export interface RunsQuery {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** ISO 8601 instant at which the school year began. */
  readonly yearFrom: string;
  readonly timeZone: string;
}

/** Returns the last run of each month of the school year in local time, oldest first. */
export const monthlyRuns = (trx: Trx, { organizationId, studentIds, yearFrom, timeZone }: RunsQuery) =>
  rowsOf<ChildRun>(
    trx,
    `select distinct on (m.student_id, m.month) m.student_id, m.month, m.seq, m.halted, m.tiles, m.is_measured
     from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select r.student_id, r.seq, r.halted, r.tiles, n.month,
         bool_or(r.trigger <> all(:withoutMeasuring::text[])) over (partition by n.month) as is_measured
       from sse_run r
       cross join lateral (select extract(month from r.as_of at time zone :timeZone)::integer as month) n
       where r.organization_id = :organizationId and r.student_id = t.student_id and r.as_of >= :yearFrom) m
     order by m.student_id, m.month, m.seq desc`,
    { organizationId, studentIds: [...studentIds], yearFrom, timeZone, withoutMeasuring },
  );

export interface MeasuredDiagnostic {
  readonly finishedAt: string;
  /** From the first run after the diagnostic; null before it. */
  readonly halted: boolean | null;
  readonly tiles: readonly { readonly tileCode: string; readonly status: TileStatus }[] | null;
}

/** Returns finished diagnostics that are not voided, newest first. */
export const finishedDiagnostics = (
  trx: Trx,
  { organizationId, id }: { readonly organizationId: string; readonly id: number },
  limit: number,
): Promise<MeasuredDiagnostic[]> =>
  rowsOf(
    trx,
    `select d.finished_at, r.halted, r.tiles
     from diagnostic_session d
     left join lateral (select r.halted, r.tiles from sse_run r
       where r.organization_id = d.organization_id and r.student_id = d.student_id and r.as_of >= d.finished_at
       order by r.as_of, r.seq limit 1) r on true
     where d.organization_id = :organizationId and d.status = 'FINISHED'
       and d.student_id = any(${accountsIn({ organizationId: ':organizationId', studentId: ':studentId' })})
       and ${voidIn({ kind: 'diagnostic', organizationId: ':organizationId', refId: 'd.id' })} is null
     order by d.finished_at desc, d.id desc limit :limit`,
    { organizationId, studentId: id, limit },
  );
