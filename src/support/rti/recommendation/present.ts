// The response of a recommendation, also frozen by decisions and packets.
import type { Versions } from '#rules/rulesets/index.ts';
import type { TierInput } from './input.ts';
import { adviceVersions, recommendationId, type TierAdvice } from './recommendation.ts';

/** Without the fields that change from moment to moment. */
export function presentAdvice(input: TierInput, advice: TierAdvice, versions: Versions) {
  const { decision, toTier, ruleId, requiredPacket, sufficiency } = advice;
  const { support } = input.sufficiency;
  const isDecided = decision !== null;
  return {
    recommendationId: recommendationId(input, versions),
    studentId: input.studentId,
    outcome: isDecided ? ('recommended' as const) : ('do_not_decide_yet' as const),
    decision,
    fromTier: support.tier,
    toTier,
    ruleId,
    reason: sufficiency.reason,
    dataSufficiency: sufficiency.dataSufficiency,
    fidelity: { ...input.delivered, gate: support.gate },
    progress: support.progress,
    requiredPacket,
    nextRecommendedDataAction: isDecided ? null : input.nextRecommendedDataAction,
    ruleVersions: adviceVersions(versions),
  };
}
export type PresentedAdvice = ReturnType<typeof presentAdvice>;
