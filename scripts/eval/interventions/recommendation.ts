// Cases of recommendations: from a profile and open assignments to one bundle with its reasons.
import type { OpenAssignment, PastFacts } from '#support/interventions/engine/bundles/covering.ts';
import type { TierCounts } from '#support/interventions/engine/bundles/delivery.ts';
import type { RecommendationFacts, RecommendedProfile } from '#support/interventions/engine/bundles/recommend.ts';
import type { SupportTier } from '#support/interventions/engine/vocabulary.ts';
import type { Engines } from './engines.ts';

interface Input {
  readonly grade: number;
  readonly tier: SupportTier;
  readonly contextReview: boolean;
  readonly acuteOpen: boolean;
  readonly profile: RecommendedProfile;
  readonly counts: TierCounts;
  readonly open: readonly (Partial<OpenAssignment> & Pick<OpenAssignment, 'bundle_id' | 'scaffoldTier'>)[];
  readonly completedSinceMeasured: boolean;
  readonly lastResult?: PastFacts['lastResult'];
  readonly tierRose?: boolean;
}

export function recommendationCase(input: Input, { recommendation, profiles }: Engines) {
  const { grade, tier, contextReview, acuteOpen, profile, counts } = input;
  const anchor = profiles.catalogue.byCode.get(profile.anchorSubSkillCode ?? '');
  const past = { awaitingMeasure: input.completedSinceMeasured, lastResult: input.lastResult ?? 'none' } as const;
  const found = recommendation.recommend({
    grade,
    tier,
    contextReview,
    acuteOpen,
    profile,
    counts,
    open: input.open.map((one, at) => ({ assignmentId: String(at), anchorRole: null, activatedAt: '', ...one })),
    past: () => past,
    tierRose: () => input.tierRose ?? false,
    anchorByOrf: anchor?.measuredByOrf ?? false,
  });
  const given = found.outcome === 'recommended' ? found : null;
  return {
    facts: {
      recommendation: shownFacts(found.facts),
      scaffold: given?.scaffold.facts ?? null,
      delivery: given?.delivery.facts ?? null,
    },
    ruleId: found.ruleId,
    profileCode: profile.profileCode,
    modifiers: profile.modifiers,
    action: found.action,
    anchorSubSkillCode: profile.anchorSubSkillCode,
    anchor_skill_group: profile.anchorSkillGroup,
    dataSufficiency: found.dataSufficiency,
    outcome: found.outcome,
    recommended_bundle_id: given?.bundle.bundle_id ?? null,
    objectType: given?.objectType ?? null,
    scaffold_tier: given?.scaffold.scaffoldTier ?? null,
    scaffoldRuleId: given?.scaffold.ruleId ?? null,
    deliveryRuleId: given?.delivery.ruleId ?? null,
    compatible_delivery_mode: given?.delivery.deliveryMode ?? null,
    nextRecommendedDataAction: found.outcome === 'recommended' ? null : found.nextRecommendedDataAction,
  };
}

/** Returns the facts in the cases: those that distinguish students by their needs. */
const shownFacts = ({
  dndy,
  profileCode,
  profileRuleId,
  acuteOpen,
  coveringOpen,
  grade,
  anchorRole,
}: RecommendationFacts) => ({
  dndy,
  profileCode,
  profileRuleId,
  acuteOpen,
  coveringOpen,
  grade,
  anchorRole,
});
