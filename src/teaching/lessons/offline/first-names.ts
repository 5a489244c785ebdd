// How students are called on a device or a sheet of their teacher: by their first names.

import type { Trx } from '#core/platform/db.ts';
import { User } from '#identity/people/index.ts';
import { firstNameAr } from '#rules/language/index.ts';

export interface NamedStudent {
  readonly studentId: number;
  readonly firstNameAr: string;
}

/** In the order of their ids; who was erased has no name left. */
export async function firstNamesOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<NamedStudent[]> {
  const rows = await User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .orderBy('id')
    .select('id', 'fullNameAr');
  return rows.map(({ id, fullNameAr }) => ({ studentId: id, firstNameAr: firstNameAr(fullNameAr ?? '', 'staff') }));
}
