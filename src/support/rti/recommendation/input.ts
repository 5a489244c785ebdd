// The input of a recommendation about a tier as plain data: it is pinned with the decision, and gives the same recommendation
// when it is replayed.

import type { NextDataAction, SkillStatus } from '#assessment/skill-status/index.ts';
import { isStrong, type ProfileCode, type SufficiencyQuestion } from '../../interventions/index.ts';
import type { TierFacts } from '../engine/tiers/recommend.ts';
import type { ReviewType } from '../engine/vocabulary.ts';
import type { RtiSituation } from '../situations/situation.ts';

export interface TierInput {
  readonly studentId: number;
  /** Null for a student who was not measured in this school year. */
  readonly profileId: number | null;
  /** A later decision makes it another recommendation. */
  readonly lastDecisionId: string | null;
  readonly sufficiency: Required<SufficiencyQuestion>;
  /** The facts of TRC besides sufficiency. */
  readonly tier: Omit<TierFacts, 'sufficiencyReason'>;
  readonly delivered: { readonly planned: number; readonly credited: number; readonly rate: number | null };
  readonly pointsSinceTier: number;
  /** Null unless no decision is allowed yet. */
  readonly nextRecommendedDataAction: NextDataAction | null;
}

/** `reviewType`: of the packet that asks; null outside a packet. */
export function tierInput(situation: RtiSituation, reviewType: ReviewType | null = null): TierInput {
  const { studentId, profile, contextReview, tier, weeksInTier, progress, fidelity, openAlert } = situation;
  const { gate, planned, credited, rate } = fidelity;
  return {
    ...{ studentId, profileId: situation.profileId },
    lastDecisionId: situation.lastDecision?.id ?? null,
    sufficiency: {
      dndy: situation.halted,
      profileCode: profile.profileCode satisfies ProfileCode,
      contextReview,
      support: { gate, tier, weeksInTier, progress },
    },
    tier: {
      acuteOpen: openAlert?.kind === 'acute_regression_review',
      acutePacket: reviewType === 'acute_regression',
      tier,
      anchorStrong: situation.anchorStrong || alertSkillIsStrong(situation),
      studentAlertOpen: openAlert?.kind === 'Student_Alert',
      intensiveOpen: openAlert?.kind === 'Intensive_Review',
      progress,
      strongCount: situation.strongCount,
      anchorMonitoring: situation.anchorMonitoring,
    },
    delivered: { planned, credited, rate },
    pointsSinceTier: situation.pointsSinceTier,
    nextRecommendedDataAction: situation.nextRecommendedDataAction,
  };
}

/** For an acute alert, whether the sub-skill that fell is in STRONG. */
function alertSkillIsStrong({ openAlert, skills }: RtiSituation): boolean {
  if (openAlert?.kind !== 'acute_regression_review' || openAlert.subSkillCode === null) return false;
  const status: SkillStatus | undefined = skills[openAlert.subSkillCode]?.measurements.at(-1)?.status;
  return status !== undefined && isStrong(status);
}
