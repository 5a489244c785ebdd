// The input of a recommendation as plain data: it is pinned with the decision, and gives the same recommendation when it is
// replayed.

import { isOpenAssignment } from '../assignment-rows/queries.ts';
import {
  type NewestTierMove,
  type OpenAssignment,
  type PastAssignment,
  pastFacts,
  tierRoseSince,
} from '../engine/bundles/covering.ts';
import type { TierCounts } from '../engine/bundles/delivery.ts';
import type { Recommendation, RecommendedProfile } from '../engine/bundles/recommend.ts';
import type { SupportTier } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { SupportCounts } from '../support-counts/counts.ts';
import type { Parts } from './parts.ts';

export interface RecommendationInput {
  readonly grade: number;
  readonly tier: SupportTier;
  readonly contextReview: boolean;
  readonly acuteOpen: boolean;
  readonly profile: RecommendedProfile;
  /** Whether the anchor sub-skill is measured by oral reading. */
  readonly anchorByOrf: boolean;
  /** Over the anchor's skill group. */
  readonly counts: TierCounts;
  readonly open: readonly OpenAssignment[];
  /** Open and ended ones. */
  readonly assignments: readonly PastAssignment[];
  /** Local date of the anchor sub-skill's newest evidence; null without any. */
  readonly measuredOn: string | null;
  /** Local date. */
  readonly today: string;
  /** Left out, with the measurements, for tables that do not ask what followed a plan. */
  readonly newestMove?: NewestTierMove | null;
  /** Local dates of the anchor sub-skill's two newest measurements. */
  readonly measurements?: readonly string[];
}

export interface Measured {
  readonly contextReview: boolean;
  readonly measuredOn: string | null;
  readonly measurements: readonly string[];
}

/** A student who never was in a class was never measured, and no rule asks for the grade. */
const anyGrade = 1;

export function recommendationInput(
  { enrollmentContext, studentTier, counts, assignments }: Parts,
  profile: RecommendedProfile,
  { measurements, ...measured }: Measured,
  rules: InterventionRules,
): RecommendationInput {
  return {
    ...{ tier: studentTier.tier, acuteOpen: studentTier.acuteOpen },
    ...measured,
    grade: enrollmentContext.grade ?? anyGrade,
    profile,
    anchorByOrf: rules.profiles.catalogue.byCode.get(profile.anchorSubSkillCode ?? '')?.measuredByOrf ?? false,
    counts: groupCounts(counts, profile, rules),
    open: assignments.filter(isOpenAssignment),
    assignments,
    today: enrollmentContext.today,
    ...(rules.recommendation.followsPlans && { newestMove: studentTier.newestMove, measurements }),
  };
}

/** Counts over all sub-skills of the anchor's skill group. */
function groupCounts(counts: SupportCounts | undefined, profile: RecommendedProfile, { profiles }: InterventionRules) {
  const total: Record<keyof TierCounts, number> = { Level_1: 0, Level_2: 0, Level_3: 0 };
  for (const [subSkillCode, byTask] of counts ?? []) {
    if (profiles.roles.groupOf.get(subSkillCode) !== profile.anchorSkillGroup) continue;
    for (const { Level_1, Level_2, Level_3 } of byTask.values()) {
      total.Level_1 += Level_1;
      total.Level_2 += Level_2;
      total.Level_3 += Level_3;
    }
  }
  return total;
}

/** The same input and rules always give the same recommendation. */
export function recommendationOf(
  input: RecommendationInput,
  { recommendation, settings }: Pick<InterventionRules, 'recommendation' | 'settings'>,
): Recommendation {
  const { profile, assignments, measuredOn, measurements, newestMove = null, today } = input;
  const { lastResultDays, intensiveSessionsPerWeek } = settings;
  const counted = recommendation.followsPlans ? withNewest(measurements ?? [], measuredOn) : undefined;
  const measured = { measuredOn, measurements: counted };
  const question = { assignments, need: profile, ...measured, asOf: today, lastResultDays };
  return recommendation.recommend({
    grade: input.grade,
    tier: input.tier,
    contextReview: input.contextReview,
    acuteOpen: input.acuteOpen,
    profile,
    counts: input.counts,
    open: input.open,
    past: (below) => pastFacts(question, below, recommendation.catalogue),
    tierRose: (covering) => tierRoseSince(covering, newestMove, intensiveSessionsPerWeek),
    anchorByOrf: input.anchorByOrf,
  });
}

/** The newest evidence of a decided anchor is a measurement, also before it is counted as one. */
const withNewest = (days: readonly string[], measuredOn: string | null): readonly string[] =>
  measuredOn === null || (days[0] ?? '') >= measuredOn ? days : [measuredOn, ...days];
