// Where students stand in the tiers of support, and whether a sudden regression is under review.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Standing } from '../services.ts';

/** A student without a movement is in the first tier. */
const unmoved: Standing = { tier: 1, tierSince: null, acuteOpen: false };

export async function standingsOf(
  trx: Trx,
  { capabilities }: Pick<Services, 'capabilities'>,
  organizationId: string,
  studentIds: readonly number[],
): Promise<(studentId: number) => Standing> {
  const found = new Map<number, Standing>();
  for (const read of capabilities.flatMap(({ standings }) => standings ?? [])) {
    for (const [studentId, standing] of await read(trx, organizationId, studentIds)) found.set(studentId, standing);
  }
  return (studentId) => found.get(studentId) ?? unmoved;
}
