// The present situation of a packet's student, and the input of the approval gates.
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

/** The services, transaction and time of a call. */
export interface PacketCall {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

export interface PacketStudentNow {
  readonly found: RtiSituations;
  readonly situation: RtiSituation;
}

/** Throws NOT_FOUND for a student who was erased, ENGINE_UNAVAILABLE without rules. */
export async function studentNow(
  { services, trx, now }: PacketCall,
  { organizationId, studentId }: { readonly organizationId: string; readonly studentId: number },
): Promise<PacketStudentNow> {
  const found = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const situation = found.situations.get(studentId);
  if (!situation) throw notFound();
  return { found, situation };
}

/** The advice for the type of review. */
export const advisedFor = ({ found, situation }: PacketStudentNow, reviewType: ReviewType): AdviceNow =>
  adviceNow(found, situation, reviewType);

/** Whether no decision is allowed about the student. */
export const isDecisionHalted = ({ halted, dataIncomplete }: RtiSituation): boolean => halted || dataIncomplete;

export const approvalStudent = ({ situation, advice }: AdviceNow): ApprovalStudent => ({
  tier: situation.tier,
  halted: isDecisionHalted(situation),
  gate: situation.fidelity.gate,
  reason: advice.sufficiency.reason,
  acuteOpen: situation.openAlert?.kind === 'acute_regression_review',
});

/** The input of the gates: the decision taken, or before it the recommended one. */
export const gatesFor = ({ decision, overrideCode, recommendation }: DecisionPacket): GatesFor => ({
  decision: decision ?? recommendation?.decision ?? null,
  overrideCode: overrideCode ?? undefined,
});

/** `freshHash`: hash of the present evidence. */
export const approvedPacket = (
  { status, reviewType, fromTier, openedBy, evidenceHash, recommendation }: DecisionPacket,
  freshHash: string | null,
): ApprovedPacket => ({
  ...{ status, reviewType, fromTier, openedBy },
  evidenceFresh: evidenceHash !== null && evidenceHash === freshHash,
  recommended: recommendation?.decision ?? null,
});
