// A student as input of the clustering: from the present recommendation, or from what a generation has pinned.
import { independentRateOf } from '../engine/bundles/delivery.ts';
import type { Recommendation } from '../engine/bundles/recommend.ts';
import type { ClassMember } from '../engine/clustering/partition.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import { type RecommendationInput, recommendationOf } from '../situations/input.ts';

/** The pinned input of one student. */
export interface PinnedMember {
  readonly studentId: number;
  /** Both null for a student who was not measured in the school year. */
  readonly profileId: number | null;
  readonly runId: string | null;
  readonly input: RecommendationInput;
}

export function classMemberOf(
  studentId: number,
  input: RecommendationInput,
  recommendation: Recommendation,
): ClassMember {
  const { acuteOpen, profile, counts, open } = input;
  const given = recommendation.outcome === 'recommended' ? recommendation : null;
  return {
    studentId,
    acuteOpen,
    dndy: profile.outcome === 'do_not_decide_yet',
    profileCode: profile.profileCode,
    recommended_bundle_id: given?.bundle.bundle_id ?? null,
    anchor_skill_group: profile.anchorSkillGroup,
    scaffold_tier: given?.scaffold.scaffoldTier ?? null,
    compatible_delivery_mode: given?.delivery.deliveryMode ?? null,
    dataSufficiency: recommendation.dataSufficiency,
    nextRecommendedDataAction:
      recommendation.outcome === 'recommended' ? null : recommendation.nextRecommendedDataAction,
    openBundles: open.map(({ bundle_id }) => bundle_id),
    independentRate: independentRateOf(counts),
  };
}

/** Gives the members of the stored groups when the rules are those that the generation names. */
export const replayMembers = (
  pinned: readonly PinnedMember[],
  rules: Pick<InterventionRules, 'recommendation' | 'settings'>,
): ClassMember[] =>
  pinned.map(({ studentId, input }) => classMemberOf(studentId, input, recommendationOf(input, rules)));
