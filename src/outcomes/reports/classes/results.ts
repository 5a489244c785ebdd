// Reads the newest run of each student of a class in the school year, in one statement.

import type { NextDataAction, TileStatus } from '#assessment/skill-status/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface ReportedClass {
  readonly organizationId: string;
  readonly classId: number;
  /** ISO 8601 instant at which the school year began. */
  readonly yearFrom: string;
}

export interface RunNow {
  /** ISO 8601. */
  readonly asOf: string;
  readonly halted: boolean;
  readonly nextDataAction: NextDataAction | null;
  readonly tiles: readonly { readonly tileCode: string; readonly status: TileStatus }[];
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export interface ReportedStudent {
  readonly studentId: number;
  readonly fullNameAr: string;
  /** Null before the first run of the school year. */
  readonly run: RunNow | null;
}

type Row = Omit<ReportedStudent, 'run'> & (RunNow | { readonly asOf: null });

/** Returns students enrolled today, in the order of their folded names. */
export async function studentsNow(
  trx: Trx,
  { organizationId, classId, yearFrom }: ReportedClass,
): Promise<readonly ReportedStudent[]> {
  const rows = await rowsOf<Row>(
    trx,
    `select u.id as student_id, coalesce(u.full_name_ar, '') as full_name_ar,
       r.as_of, r.halted, r.next_data_action, r.tiles, r.rule_versions
     from enrollment e
     join app_user u on u.organization_id = e.organization_id and u.id = e.student_id and u.status <> 'deleted'
     left join lateral (
       select as_of, halted, next_data_action, tiles, rule_versions from sse_run
       where organization_id = :organizationId and student_id = u.id and as_of >= :yearFrom
       order by seq desc limit 1) r on true
     where e.organization_id = :organizationId and e.class_id = :classId and e.enrolled_to is null
     order by u.name_folded, u.id`,
    { organizationId, classId, yearFrom },
  );
  return rows.map(({ studentId, fullNameAr, ...run }) => ({
    studentId,
    fullNameAr,
    run: run.asOf === null ? null : run,
  }));
}

/** Returns the status of a student on a tile; null when more data is needed. */
export const tileStatusOf = ({ run }: ReportedStudent, tileCode: string): TileStatus | null =>
  run === null || run.halted
    ? null
    : (run.tiles.find((tile) => tile.tileCode === tileCode)?.status ?? ('Not_Assessed' as const));

/** Returns the next measurement of a student without a status. */
export const actionOf = ({ run }: ReportedStudent): NextDataAction => run?.nextDataAction ?? 'run_diagnostic';

/** Returns the moment and rule versions of the newest run of the class. */
export function stampOf(students: readonly ReportedStudent[]): Pick<RunNow, 'ruleVersions'> & { asOf: string | null } {
  const runs = students.flatMap(({ run }) => run ?? []);
  const newest = runs.toSorted((one, other) => (one.asOf < other.asOf ? 1 : -1))[0];
  return { asOf: newest?.asOf ?? null, ruleVersions: newest?.ruleVersions ?? {} };
}
