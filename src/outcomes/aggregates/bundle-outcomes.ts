// Enums of the outcomes of intervention bundles that are counted.
import {
  type CompletionResult,
  completionResults,
  type FidelityGate,
  fidelityGates,
} from '#support/interventions/index.ts';
import { noBand } from './enums.ts';

/**
 * Every combination of completion result (were the goals met?) and fidelity gate (was the bundle delivered as
 * planned?).
 */
export const effects = completionResults.flatMap((completionResult) =>
  fidelityGates.map((gate) => ({ completionResult, gate })),
);
type Effect = (typeof effects)[number];
type EffectName = `${CompletionResult}_${FidelityGate}`;
export type EffectBand = EffectName | typeof noBand;

export const effectBand = ({ completionResult, gate }: Effect): EffectName => `${completionResult}_${gate}`;
export const effectBands: readonly EffectBand[] = [...effects.map(effectBand), noBand];
/** A unit whose students are all in one of these bands publishes nothing. */
export const goalsMissedBands = effects
  .filter(({ completionResult }) => completionResult === 'goals_not_met')
  .map(effectBand);
