// Quadrants of support: delivery by response, twelve combinations for students with support.
import { type FidelityGate, fidelityGates } from '../../interventions/index.ts';
import { type Response, responses } from '../engine/vocabulary.ts';
import type { RtiSituation } from '../situations/situation.ts';

export interface Quadrant {
  readonly delivery: FidelityGate;
  readonly response: Response;
}

export type QuadrantName = `${FidelityGate}_${Response}`;

export const quadrantName = ({ delivery, response }: Quadrant): QuadrantName => `${delivery}_${response}`;

export const quadrantNames: readonly QuadrantName[] = fidelityGates.flatMap((delivery) =>
  responses.map((response) => quadrantName({ delivery, response })),
);

/** Null in the first tier, which has no support. */
export const quadrantOf = ({
  tier,
  fidelity: { gate },
  progress,
}: Pick<RtiSituation, 'tier' | 'fidelity' | 'progress'>): Quadrant | null =>
  tier === 1 ? null : { delivery: gate, response: progress };

/** Counts of the quadrants with a student. */
export function countQuadrants(quadrants: readonly Quadrant[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const quadrant of quadrants) counts[quadrantName(quadrant)] = (counts[quadrantName(quadrant)] ?? 0) + 1;
  return counts;
}
