// Whether support was given, beside what came of it: one of twelve squares for each student who has support.
import { type FidelityGate, fidelityGates } from '../../interventions/index.ts';
import { type Response, responses } from '../engine/vocabulary.ts';
import type { RtiSituation } from '../situations/situation.ts';

export interface Square {
  readonly delivery: FidelityGate;
  readonly response: Response;
}

export type SquareName = `${FidelityGate}_${Response}`;

export const squareName = ({ delivery, response }: Square): SquareName => `${delivery}_${response}`;

export const squareNames: readonly SquareName[] = fidelityGates.flatMap((delivery) =>
  responses.map((response) => squareName({ delivery, response })),
);

/** Null in the first tier, where nobody is given support. */
export const squareOf = ({
  tier,
  fidelity: { gate },
  progress,
}: Pick<RtiSituation, 'tier' | 'fidelity' | 'progress'>): Square | null =>
  tier === 1 ? null : { delivery: gate, response: progress };

/** Squares with a student only. */
export function countedSquares(squares: readonly Square[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const square of squares) counts[squareName(square)] = (counts[squareName(square)] ?? 0) + 1;
  return counts;
}
