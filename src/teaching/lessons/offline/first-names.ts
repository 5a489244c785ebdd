// First names of students for offline packs.

import type { Trx } from '#core/platform/db.ts';
import { User } from '#identity/people/index.ts';
import { firstNameAr } from '#rules/language/index.ts';

export interface StudentFirstName {
  readonly studentId: number;
  readonly firstNameAr: string;
}

/** Returns students ordered by id; the name of an erased student is empty. */
export async function firstNamesOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<StudentFirstName[]> {
  const rows = await User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .orderBy('id')
    .select('id', 'fullNameAr');
  return rows.map(({ id, fullNameAr }) => ({ studentId: id, firstNameAr: firstNameAr(fullNameAr ?? '', 'staff') }));
}
