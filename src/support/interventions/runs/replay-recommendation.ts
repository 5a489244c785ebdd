// Replays the recommendation that an assignment has frozen, from its pinned input.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import type { ActiveRules, RuleBundle, Versions } from '#rules/rulesets/index.ts';
import type { Recommendation } from '../engine/bundles/recommend.ts';
import { presentRecommendation } from '../recommendations/present.ts';
import { recommendationRules } from '../rules/compiled.ts';
import { type RecommendationInput, recommendationOf } from '../situations/input.ts';

export interface FrozenRecommendation {
  readonly facts: RecommendationInput;
  /** The response at that moment. */
  readonly recommendation: object;
  readonly ruleVersions: Versions;
}

export interface RecommendationReplay {
  readonly bundle: RuleBundle;
  readonly found: Recommendation;
  readonly isSame: boolean;
}

/** Throws ENGINE_UNAVAILABLE when rules cannot be read. */
export async function replayRecommendation(
  db: Services['db'] | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  { facts, recommendation, ruleVersions }: FrozenRecommendation,
): Promise<RecommendationReplay> {
  const bundle = await rules.pinned(db, ruleVersions);
  const found = recommendationOf(facts, recommendationRules(bundle));
  const again = presentRecommendation({ profile: facts.profile, stored: null, recommendation: found }, ruleVersions);
  return { bundle, found, isSame: isSameJson({ ...again, ruleVersions: {} }, { ...recommendation, ruleVersions: {} }) };
}
