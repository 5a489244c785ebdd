// The recommendation about a student's tier (TRC), and the decisions that are allowed without a packet.

import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts, mostIntensiveTier, type SupportTier, supportTiers } from '../../../interventions/engine/index.ts';
import { type Response, type ReviewType, reviewTypes, type TierDecision, tierDecisions } from '../vocabulary.ts';

export const tierFacts = listedFacts({
  sufficiencyReason: 'word',
  acuteOpen: 'flag',
  acutePacket: 'flag',
  tier: 'number',
  anchorStrong: 'flag',
  studentAlertOpen: 'flag',
  intensiveOpen: 'flag',
  progress: 'word',
  strongCount: 'number',
  anchorMonitoring: 'flag',
});

/** The facts are in the order of the table. */
export type TierFacts = {
  readonly sufficiencyReason: string;
  readonly acuteOpen: boolean;
  /** Whether the review is of type acute_regression. */
  readonly acutePacket: boolean;
  readonly tier: SupportTier;
  /** Whether the profile's anchor or the alert's sub-skill is in STRONG. */
  readonly anchorStrong: boolean;
  readonly studentAlertOpen: boolean;
  readonly intensiveOpen: boolean;
  readonly progress: Response;
  readonly strongCount: number;
  /** Whether layer A of the anchor is monitoring. */
  readonly anchorMonitoring: boolean;
};

export interface TierRecommendation {
  readonly ruleId: string;
  /** Null exactly when no decision is allowed yet. */
  readonly decision: TierDecision | null;
  readonly toTier: SupportTier | null;
  readonly requiredPacket: ReviewType | null;
}

const steps: Readonly<Record<TierDecision, number>> = { escalate: 1, de_escalate: -1, maintain: 0, defer: 0 };

/** Undefined when there is no such tier. */
export const tierAfter = (tier: SupportTier, decision: TierDecision): SupportTier | undefined =>
  supportTiers.find((one) => one === tier + steps[decision]);

/** Throws BundleError when the document is missing, RangeError when it has an unknown value. */
export function compileTierRecommendation(bundle: RuleBundle): (facts: TierFacts) => TierRecommendation {
  const ask = firstHit(bundle.table('rti/tier-recommendation'), tierFacts, (answer) => ({
    ruleId: answer.ruleId,
    decision: answer.word('outcome', [...tierDecisions, 'do_not_decide_yet']),
    requiredPacket: answer.wordIfAny('requiredPacket', reviewTypes),
    packetFrom: answer.wordIfAny('packetFrom', ['most_intensive']),
  }));
  return (facts) => {
    const { ruleId, decision, requiredPacket, packetFrom } = ask(facts);
    if (decision === 'do_not_decide_yet') return { ruleId, decision: null, toTier: null, requiredPacket: null };
    const isAsked = packetFrom === undefined || facts.tier === mostIntensiveTier;
    return {
      ruleId,
      decision,
      toTier: tierAfter(facts.tier, decision) ?? facts.tier,
      requiredPacket: isAsked ? (requiredPacket ?? null) : null,
    };
  };
}
