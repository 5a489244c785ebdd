// The constants of practice, read from a pinned `scoring/measurement` document.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type MeasurementDocument, measurementDocument, measurementNumbers } from '../../scoring/engine/values.ts';

export interface PracticeValues {
  /** Number of answers in one queue. */
  readonly itemBudget: number;
  readonly maxTargets: number;
  /** Theta in logits below which a sub-skill is practised. */
  readonly masteredTheta: number;
  /** Minimum standard deviation of a prior, in logits. */
  readonly narrowestPriorSd: number;
}

/** Throws BundleError when the document is missing, RangeError when a constant is. */
export function readPracticeValues(bundle: RuleBundle): PracticeValues {
  const constant = measurementNumbers(bundle.values<MeasurementDocument>(measurementDocument));
  return {
    itemBudget: constant('PRQ-BUD-01'),
    maxTargets: constant('PRQ-TGT-01'),
    masteredTheta: constant('PRQ-THE-01'),
    narrowestPriorSd: constant('PRQ-SE-01'),
  };
}
