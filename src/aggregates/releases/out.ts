// Schools that are out, as the engine of protection sees them, and those of them that a school is published beside.
import type { Trx } from '../../platform/db.ts';
import type { Published, SchoolCounts } from '../engine/units.ts';
import type { SchoolTurn } from './count-school.ts';
import { type CountedRow, countedRows, type ReleasedSubject } from './rows/counted.ts';
import { spaceKind } from './spaces/all.ts';

/** With so many the organization hides next to nothing; more would only cost time and memory. */
const newestSchools = 24;

export type OutOf = (subject: ReleasedSubject) => Published;

/** Of each subject the schools that were published last: what a school hides for the organization's sake depends on them. */
export async function newestOut(trx: Trx, turn: SchoolTurn): Promise<OutOf> {
  const rows = await countedRows(trx, turn, { newest: newestSchools });
  return ({ space, subject }) => publishedOf(rows.filter((row) => row.space === space && row.subject === subject));
}

/** `rows`: of one subject. */
export function publishedOf(rows: readonly CountedRow[]): Published {
  const schools = new Map<string, CountedRow[]>();
  for (const row of rows) {
    const own = schools.get(row.schoolId);
    if (own) own.push(row);
    else schools.set(row.schoolId, [row]);
  }
  return {
    schools: [...schools].map(([id, classes]) => schoolOf(id, classes)),
    shown: {
      schools: Object.fromEntries(rows.map(({ schoolId, shownOfSchool }) => [schoolId, shownOfSchool])),
      classes: Object.fromEntries(rows.map(({ classId, shown }) => [classId, shown])),
    },
  };
}

function schoolOf(id: string, rows: readonly CountedRow[]): SchoolCounts {
  const band = rows[0] && spaceKind(rows[0].space).ofUnmeasured;
  return {
    id,
    classes: rows.map(({ classId, counts }) => ({ id: String(classId), counts })),
    ...(band && { atLeast: { [band]: rows.reduce((sum, { unmeasured }) => sum + unmeasured, 0) } }),
  };
}
