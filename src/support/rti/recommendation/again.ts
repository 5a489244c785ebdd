// A recommendation that was frozen with a decision or a packet, made again from what was pinned beside it.

import type { Services } from '#core/module/services.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import type { RuleBundle, Versions } from '#rules/rulesets/index.ts';
import { compileSufficiency } from '../../interventions/index.ts';
import { compileTierRecommendation } from '../engine/tiers/recommend.ts';
import type { TierInput } from './input.ts';
import { presentAdvice } from './present.ts';
import { adviceOf, type TierAdvice } from './recommendation.ts';

export interface FrozenAdvice {
  readonly facts: TierInput;
  /** As it was answered at that moment. */
  readonly recommendation: object;
  readonly ruleVersions: Versions;
}

export interface AdviceAgain {
  readonly bundle: RuleBundle;
  readonly advice: TierAdvice;
  readonly isSame: boolean;
}

/** Today's rules play no part. Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function adviceAgain(
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  { facts, recommendation, ruleVersions }: FrozenAdvice,
): Promise<AdviceAgain> {
  const bundle = await rules.pinned(db, ruleVersions);
  const advice = adviceOf(facts, {
    sufficiency: compileSufficiency(bundle),
    recommend: compileTierRecommendation(bundle),
  });
  return { bundle, advice, isSame: isSameJson(presentAdvice(facts, advice, ruleVersions), recommendation) };
}
