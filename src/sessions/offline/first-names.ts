// How students are called on a device or a sheet of their teacher: by their first names.

import type { Services } from '../../kernel/services.ts';
import { filterOf, safeFirstName } from '../../language/index.ts';
import { User } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';

export interface NamedStudent {
  readonly studentId: number;
  readonly firstNameAr: string;
}

/** In the order of their ids; who was erased has no name left. */
export async function firstNamesOf(
  trx: Trx,
  { rules }: Pick<Services, 'rules'>,
  organizationId: string,
  studentIds: readonly number[],
  now: Date,
): Promise<NamedStudent[]> {
  const { rules: bundle } = await rules.at(trx, now);
  const filter = filterOf(bundle);
  const isSafe = (name: string) => filter.check(name, 'ui')?.safe === true;
  const rows = await User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .orderBy('id')
    .select('id', 'fullNameAr');
  return rows.map(({ id, fullNameAr }) => ({
    studentId: id,
    firstNameAr: safeFirstName(fullNameAr ?? '', 'staff', isSafe),
  }));
}
