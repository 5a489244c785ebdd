// Names of students in a class report: unique within the class, with a short form for full lines.

import type { Trx } from '#core/platform/db.ts';
import { namesOnPaper } from '#identity/people/index.ts';
import { firstNameAr } from '#rules/language/index.ts';
import type { ReportedStudent } from './results.ts';

export interface StudentNames {
  readonly name: string;
  readonly shortName: string;
}

/**
 * Returns the names of each student. A student who shares a name has the distinguishing form on every line, and no
 * shorter one.
 */
export async function studentNamesOf(
  trx: Trx,
  organizationId: string,
  students: readonly ReportedStudent[],
): Promise<(studentId: number) => StudentNames> {
  const ids = students.map(({ studentId }) => studentId);
  const names = await namesOnPaper(trx, organizationId, ids);
  return (studentId) => {
    const { fullNameAr = '', staffNameAr = '', isShared = false } = names.get(studentId) ?? {};
    if (isShared) return { name: staffNameAr, shortName: staffNameAr };
    return { name: staffNameAr, shortName: `${firstNameAr(fullNameAr, 'staff')} … ${fullNameAr.split(' ').at(-1)}` };
  };
}
