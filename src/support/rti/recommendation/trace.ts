// The trace of a recommendation: all rules that were tried, and the smallest change that would alter it.

import type { DecisionView, RuleBundle } from '#rules/rulesets/index.ts';
import { decisionsOf, sufficiencyAsked } from '../../interventions/index.ts';
import type { TierInput } from './input.ts';
import type { TierAdvice } from './recommendation.ts';

/** TRC, which decided, before DSF. */
export const adviceDecisions = (bundle: RuleBundle, input: TierInput, { sufficiency }: TierAdvice): DecisionView[] =>
  decisionsOf(bundle, String(input.studentId), [
    ['rti/tier-recommendation', { sufficiencyReason: sufficiency.reason, ...input.tier }],
    ['rti/data-sufficiency', sufficiencyAsked(input.sufficiency)],
  ]);

/** In the order of evaluation: sufficiency first, then the tier. */
export function traceOf(decisions: readonly DecisionView[]) {
  const [decided] = decisions;
  const asked = decisions.toReversed();
  return {
    trace: asked.flatMap(({ trace }) => trace),
    constants: Object.assign({}, ...asked.map(({ constants }) => constants)) as DecisionView['constants'],
    flipDistance: decided && 'flipDistance' in decided ? decided.flipDistance : null,
  };
}
