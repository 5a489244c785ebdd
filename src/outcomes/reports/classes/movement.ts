// How the students of a class have moved since the season before: from where they stood at its end to where they stand now.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentBand } from '../../aggregates/index.ts';
import { type RunNow, type StudentNow, tileStatusOf } from './results.ts';
import type { SeasonDates } from './season-dates.ts';

type RunThen = Pick<RunNow, 'halted' | 'tiles'>;

interface Then {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  readonly season: SeasonDates;
  /** IANA name. */
  readonly timeZone: string;
}

/** The last run of each student in the season before; who has none is not among them. */
export async function runsBefore(
  trx: Trx,
  { organizationId, studentIds, season, timeZone }: Then,
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

/** By tile and then as bands are shown. Who was not assessed and still is not has not moved. */
export function movementsOf(
  students: readonly StudentNow[],
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

/** Whoever has no status to show stands under More_Data. */
export const bandOf = (student: StudentNow, tileCode: string): StudentBand =>
  tileStatusOf(student, tileCode) ?? 'More_Data';
