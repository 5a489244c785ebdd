// Quadrants of many students, equal to those of their boards.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { newestMovements } from '../rows/movements.ts';
import type { RtiPartsQuestion } from '../situations/parts.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import { type QuadrantName, quadrantName, quadrantOf } from './quadrants.ts';

/** Students whose situations are in memory together. */
const studentsAtOnce = 200;

/** By student, for those with support; no data of others is read. Throws ENGINE_UNAVAILABLE. */
export async function supportQuadrants(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  { organizationId, studentIds, now }: RtiPartsQuestion,
): Promise<ReadonlyMap<number, QuadrantName>> {
  const movements = await newestMovements(trx, organizationId, studentIds);
  const supported = [...movements.values()].flatMap(({ studentId, toTier }) => (toTier === 1 ? [] : studentId));
  const quadrants = new Map<number, QuadrantName>();
  for (let from = 0; from < supported.length; from += studentsAtOnce) {
    const asked = { organizationId, studentIds: supported.slice(from, from + studentsAtOnce), now };
    const { situations } = await rtiSituationsOf(trx, services, asked);
    for (const [studentId, situation] of situations) {
      const quadrant = quadrantOf(situation);
      if (quadrant) quadrants.set(studentId, quadrantName(quadrant));
    }
  }
  return quadrants;
}
