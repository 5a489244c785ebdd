// What a recommendation is made from, as plain data: it is pinned beside what was decided with it, and made into the same
// recommendation again.
import { type OpenAssignment, type PastAssignment, pastFacts } from '../bundles/engine/covering.ts';
import type { TierCounts } from '../bundles/engine/delivery.ts';
import type { Recommendation, RecommendedProfile } from '../bundles/engine/recommend.ts';
import type { SupportTier } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';

export interface RecommendationInput {
  readonly grade: number;
  readonly tier: SupportTier;
  readonly contextReview: boolean;
  readonly acuteOpen: boolean;
  readonly profile: RecommendedProfile;
  /** Over the anchor's skill group. */
  readonly counts: TierCounts;
  readonly open: readonly OpenAssignment[];
  /** Open and ended ones. */
  readonly assignments: readonly PastAssignment[];
  /** Local date of the anchor sub-skill's newest evidence; null without any. */
  readonly measuredOn: string | null;
  /** Local date. */
  readonly today: string;
}

export function recommendationOf(input: RecommendationInput, rules: InterventionRules): Recommendation {
  const { profile, assignments, measuredOn, today } = input;
  const { recommendation, settings, profiles } = rules;
  const question = { assignments, need: profile, measuredOn, asOf: today, lastResultDays: settings.lastResultDays };
  return recommendation.recommend({
    grade: input.grade,
    tier: input.tier,
    contextReview: input.contextReview,
    acuteOpen: input.acuteOpen,
    profile,
    counts: input.counts,
    open: input.open,
    past: (below) => pastFacts(question, below, recommendation.catalogue),
    anchorByOrf: profiles.catalogue.byCode.get(profile.anchorSubSkillCode ?? '')?.measuredByOrf ?? false,
  });
}
