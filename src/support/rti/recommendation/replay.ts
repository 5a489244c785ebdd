// Replays the recommendation that a decision or a packet has frozen, from its pinned input.

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
  /** The response at that moment. */
  readonly recommendation: object;
  readonly ruleVersions: Versions;
}

export interface AdviceReplay {
  readonly bundle: RuleBundle;
  readonly advice: TierAdvice;
  readonly isSame: boolean;
}

/** Uses the pinned rules only. Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function replayAdvice(
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  { facts, recommendation, ruleVersions }: FrozenAdvice,
): Promise<AdviceReplay> {
  const bundle = await rules.pinned(db, ruleVersions);
  const advice = adviceOf(facts, {
    sufficiency: compileSufficiency(bundle),
    recommend: compileTierRecommendation(bundle),
  });
  return { bundle, advice, isSame: isSameJson(presentAdvice(facts, advice, ruleVersions), recommendation) };
}
