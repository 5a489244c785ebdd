// The support tiers of students, and whether a sudden regression is under review.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { StudentTier } from '../services.ts';

/** A student without a movement is in the first tier. */
const unmoved: StudentTier = { tier: 1, tierSince: null, acuteOpen: false, newestMove: null };

export async function studentTiersOf(
  trx: Trx,
  { capabilities }: Pick<Services, 'capabilities'>,
  organizationId: string,
  studentIds: readonly number[],
): Promise<(studentId: number) => StudentTier> {
  const found = new Map<number, StudentTier>();
  for (const read of capabilities.flatMap(({ studentTiers }) => studentTiers ?? [])) {
    for (const [studentId, studentTier] of await read(trx, organizationId, studentIds))
      found.set(studentId, studentTier);
  }
  return (studentId) => found.get(studentId) ?? unmoved;
}
