// Why a recommendation is this one: every rule that was tried, and the least that would make it another one.

import type { DecisionView, RuleBundle } from '#rules/rulesets/index.ts';
import { decisionsOf, sufficiencyAsked } from '../../interventions/index.ts';
import type { TierInput } from './input.ts';
import type { TierAdvice } from './recommendation.ts';

/** TRC first, which decided, then DSF. */
export const adviceDecisions = (bundle: RuleBundle, input: TierInput, { sufficiency }: TierAdvice): DecisionView[] =>
  decisionsOf(bundle, String(input.studentId), [
    ['rti/tier-recommendation', { sufficiencyReason: sufficiency.reason, ...input.tier }],
    ['rti/data-sufficiency', sufficiencyAsked(input.sufficiency)],
  ]);

/** In the order in which the rules were asked: whether enough is known, and then what follows. */
export function traceOf(decisions: readonly DecisionView[]) {
  const [decided] = decisions;
  const asked = decisions.toReversed();
  return {
    trace: asked.flatMap(({ trace }) => trace),
    constants: Object.assign({}, ...asked.map(({ constants }) => constants)) as DecisionView['constants'],
    flipDistance: decided && 'flipDistance' in decided ? decided.flipDistance : null,
  };
}
