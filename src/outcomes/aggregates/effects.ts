// The words of what came of bundles.
import {
  type CompletionResult,
  completionResults,
  type FidelityGate,
  fidelityGates,
} from '#support/interventions/index.ts';
import { noBand } from './enums.ts';

/** What came of a bundle for a child: whether its goals were met, and whether it was given as planned. */
export const effects = completionResults.flatMap((completionResult) =>
  fidelityGates.map((gate) => ({ completionResult, gate })),
);
type Effect = (typeof effects)[number];
type EffectName = `${CompletionResult}_${FidelityGate}`;
export type EffectBand = EffectName | typeof noBand;

export const effectBand = ({ completionResult, gate }: Effect): EffectName => `${completionResult}_${gate}`;
export const effectBands: readonly EffectBand[] = [...effects.map(effectBand), noBand];
/** Of which no unit is all. */
export const goalsMissed = effects
  .filter(({ completionResult }) => completionResult === 'goals_not_met')
  .map(effectBand);
