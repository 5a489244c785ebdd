// The squares of many students, as the boards of their classes say them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { newestMovements } from '../rows/movements.ts';
import type { PartsQuestion } from '../situations/parts.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import { type SquareName, squareName, squareOf } from './squares.ts';

/** Students whose situations are in memory together. */
const studentsAtOnce = 200;

/** By student, of those who have support: only of them is anything read. Throws ENGINE_UNAVAILABLE. */
export async function supportSquares(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  { organizationId, studentIds, now }: PartsQuestion,
): Promise<ReadonlyMap<number, SquareName>> {
  const movements = await newestMovements(trx, organizationId, studentIds);
  const supported = [...movements.values()].flatMap(({ studentId, toTier }) => (toTier === 1 ? [] : studentId));
  const squares = new Map<number, SquareName>();
  for (let from = 0; from < supported.length; from += studentsAtOnce) {
    const asked = { organizationId, studentIds: supported.slice(from, from + studentsAtOnce), now };
    const { situations } = await rtiSituationsOf(trx, services, asked);
    for (const [studentId, situation] of situations) {
      const square = squareOf(situation);
      if (square) squares.set(studentId, squareName(square));
    }
  }
  return squares;
}
