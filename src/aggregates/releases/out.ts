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
  const bySubject = grouped(rows, ({ space, subject }) => `${space} ${subject}`);
  return ({ space, subject }) => publishedOf(bySubject.get(`${space} ${subject}`) ?? []);
}

function grouped(rows: readonly CountedRow[], keyOf: (row: CountedRow) => string): ReadonlyMap<string, CountedRow[]> {
  const groups = new Map<string, CountedRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** `rows`: of one subject. */
export function publishedOf(rows: readonly CountedRow[]): Published {
  const schools = grouped(rows, ({ schoolId }) => schoolId);
  return {
    schools: [...schools].map(([id, parts]) => schoolOf(id, parts)),
    shown: {
      schools: Object.fromEntries(rows.map(({ schoolId, shownOfSchool }) => [schoolId, shownOfSchool])),
      classes: Object.fromEntries(rows.map(({ part, shown }) => [part, shown])),
    },
  };
}

function schoolOf(id: string, rows: readonly CountedRow[]): SchoolCounts {
  const band = rows[0] && spaceKind(rows[0].space).ofUnmeasured;
  return {
    id,
    classes: rows.map(({ part, counts }) => ({ id: part, counts })),
    ...(band && { atLeast: { [band]: rows.reduce((sum, { unmeasured }) => sum + unmeasured, 0) } }),
  };
}
