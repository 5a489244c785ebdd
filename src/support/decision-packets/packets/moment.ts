// A packet's student as they are now, and what the gates of approval ask of packet and student.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import {
  type AdviceNow,
  type ApprovalStudent,
  type ApprovedPacket,
  adviceNow,
  type GatesFor,
  type ReviewType,
  type RtiSituation,
  type RtiSituations,
  rtiSituationsOf,
} from '../../rti/index.ts';
import type { DecisionPacket } from '../rows/store.ts';

/** Who asks, and when. */
export interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export interface StudentNow {
  readonly found: RtiSituations;
  readonly situation: RtiSituation;
}

/** Throws NOT_FOUND for a student who was erased, ENGINE_UNAVAILABLE without rules. */
export async function studentNow(
  { services, trx, now }: Asked,
  { organizationId, studentId }: { readonly organizationId: string; readonly studentId: number },
): Promise<StudentNow> {
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const situation = found.situations.get(studentId);
  if (!situation) throw notFound();
  return { found, situation };
}

/** With the review that asks. */
export const advisedFor = ({ found, situation }: StudentNow, reviewType: ReviewType): AdviceNow =>
  adviceNow(found, situation, reviewType);

/** Nothing is decided about the student. */
export const isHalted = ({ halted, dataIncomplete }: RtiSituation): boolean => halted || dataIncomplete;

export const approvalStudent = ({ situation, advice }: AdviceNow): ApprovalStudent => ({
  tier: situation.tier,
  halted: isHalted(situation),
  gate: situation.fidelity.gate,
  reason: advice.sufficiency.reason,
  acuteOpen: situation.openAlert?.kind === 'acute_regression_review',
});

/** What the gates of a packet are told for: the decision that was taken, before it the one that is recommended. */
export const gatesFor = ({ decision, overrideCode, recommendation }: DecisionPacket): GatesFor => ({
  decision: decision ?? recommendation?.decision ?? null,
  overrideCode: overrideCode ?? undefined,
});

/** `freshHash`: of the evidence that there is by now. */
export const approvedPacket = (
  { status, reviewType, fromTier, openedBy, evidenceHash, recommendation }: DecisionPacket,
  freshHash: string | null,
): ApprovedPacket => ({
  ...{ status, reviewType, fromTier, openedBy },
  evidenceFresh: evidenceHash !== null && evidenceHash === freshHash,
  recommended: recommendation?.decision ?? null,
});
