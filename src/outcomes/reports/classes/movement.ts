// Counts how students' bands have changed since the end of the season before.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentBand } from '../../aggregates/index.ts';
import { type ReportedStudent, type RunNow, tileStatusOf } from './results.ts';
import type { SeasonDates } from './season-dates.ts';

type RunThen = Pick<RunNow, 'halted' | 'tiles'>;

interface RunsBeforeQuery {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly season: SeasonDates;
  /** IANA name. */
  readonly timeZone: string;
}

/** Returns the last run of each student in the season before; students without a run are absent. */
export async function runsBefore(
  trx: Trx,
  { organizationId, studentIds, season, timeZone }: RunsBeforeQuery,
): Promise<ReadonlyMap<number, RunThen>> {
  const rows = await rowsOf<RunThen & { readonly studentId: number }>(
    trx,
    `select t.student_id, r.halted, r.tiles
     from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (
       select halted, tiles from sse_run
       where organization_id = :organizationId and student_id = t.student_id
         and as_of >= :beforeFrom::timestamp at time zone :timeZone and as_of < :from::timestamp at time zone :timeZone
       order by seq desc limit 1) r`,
    { organizationId, studentIds: [...studentIds], ...season, timeZone },
  );
  return new Map(rows.map(({ studentId, halted, tiles }) => [studentId, { halted, tiles }]));
}

export interface TileMovement {
  readonly tileCode: string;
  readonly from: StudentBand;
  readonly to: StudentBand;
  readonly count: number;
}

/** Returns changes by tile in band order. Students who were and are not assessed are left out. */
export function tileMovementsOf(
  students: readonly ReportedStudent[],
  before: ReadonlyMap<number, RunThen>,
  tileCodes: readonly string[],
  bands: readonly StudentBand[],
): TileMovement[] {
  const counted = new Map<string, number>();
  for (const student of students) {
    const then = before.get(student.studentId);
    if (!then) continue;
    for (const tileCode of tileCodes) {
      const key = keyOf(
        tileCode,
        bandOf({ ...student, run: { ...noRun, ...then } }, tileCode),
        bandOf(student, tileCode),
      );
      counted.set(key, (counted.get(key) ?? 0) + 1);
    }
  }
  return tileCodes.flatMap((tileCode) =>
    bands.flatMap((from) =>
      bands.flatMap((to) => {
        const count = counted.get(keyOf(tileCode, from, to)) ?? 0;
        return count === 0 || (from === 'Not_Assessed' && to === from) ? [] : [{ tileCode, from, to, count }];
      }),
    ),
  );
}

const keyOf = (...parts: readonly string[]): string => parts.join(' ');

const noRun = { asOf: '', nextDataAction: null, ruleVersions: {} };

/** Students without a status are counted as More_Data. */
export const bandOf = (student: ReportedStudent, tileCode: string): StudentBand =>
  tileStatusOf(student, tileCode) ?? 'More_Data';
