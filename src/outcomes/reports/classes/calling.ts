// How the students of a class are called in its report: told apart where two have one name, and shorter where a line is full.

import type { Trx } from '#core/platform/db.ts';
import { namesOnPaper } from '#identity/people/index.ts';
import { firstNameAr } from '#rules/language/index.ts';
import type { StudentNow } from './results.ts';

export interface Called {
  readonly name: string;
  readonly shortName: string;
}

/** By student. Who shares a name is told apart on every line, and so has no short one. */
export async function callingOf(
  trx: Trx,
  organizationId: string,
  students: readonly StudentNow[],
): Promise<(studentId: number) => Called> {
  const ids = students.map(({ studentId }) => studentId);
  const names = await namesOnPaper(trx, organizationId, ids);
  return (studentId) => {
    const { fullNameAr = '', staffNameAr = '', isShared = false } = names.get(studentId) ?? {};
    if (isShared) return { name: staffNameAr, shortName: staffNameAr };
    return { name: staffNameAr, shortName: `${firstNameAr(fullNameAr, 'staff')} … ${fullNameAr.split(' ').at(-1)}` };
  };
}
