// Checks whether a packet may be approved (GTE): the gates in the order of the document; the first failure is returned.
import {
  type FidelityGate,
  mostIntensiveTier,
  type ReasonCodes,
  type SufficiencyReason,
  type SupportTier,
} from '../../../interventions/engine/index.ts';
import {
  codeFault,
  conflictAnswer,
  halted,
  invalidAnswer,
  type RtiAnswer,
  reasonRefusal,
} from '../tiers/commit-check.ts';
import { tierAfter } from '../tiers/recommend.ts';
import type { PacketStatus, ReviewType, TierDecision } from '../vocabulary.ts';
import { goesBesideAcute } from './openable.ts';
import type { Gate, GateCheck, PacketRules, Review } from './rules.ts';

export interface ApprovalCall {
  readonly decision: TierDecision;
  readonly overrideCode?: string | undefined;
  readonly deferralCode?: string | undefined;
  readonly caller: {
    readonly id: number;
    readonly persona: string;
    /** Whether the caller has the role HIGH_INTENSITY_SPECIALIST. */
    readonly isSpecialist: boolean;
    /** Whether the caller is independent of the opener of the packet. Default: true. */
    readonly isIndependent?: boolean;
  };
}

export interface ApprovedPacket {
  readonly status: PacketStatus;
  readonly reviewType: ReviewType;
  /** Frozen at assembly; null in a draft. */
  readonly fromTier: SupportTier | null;
  readonly openedBy: number;
  /** Whether the present evidence has the stored hash. */
  readonly evidenceFresh: boolean;
  readonly recommended: TierDecision | null;
}

export interface ApprovalStudent {
  readonly tier: SupportTier;
  readonly halted: boolean;
  readonly gate: FidelityGate;
  /** The reason of DSF. */
  readonly reason: SufficiencyReason;
  readonly acuteOpen: boolean;
}

interface Asked {
  readonly call: ApprovalCall;
  readonly packet: ApprovedPacket;
  readonly student: ApprovalStudent;
  readonly review: Review;
  readonly toTier: SupportTier | undefined;
}

/** The decisions that a gate applies to, when it does not apply to all. */
const decisionsOf: Readonly<Partial<Record<GateCheck, readonly TierDecision[]>>> = {
  delivered: ['escalate'],
  sufficient: ['escalate', 'de_escalate'],
};

const isAsked = ({ check, ofDefer }: Gate, decision: TierDecision): boolean =>
  decision === 'defer' ? ofDefer : (decisionsOf[check]?.includes(decision) ?? true);

/** Undefined when the gate passes; for a decision that the gate applies to. */
const checks: Readonly<Record<GateCheck, (asked: Asked) => RtiAnswer | undefined>> = {
  under_review: ({ packet: { status } }) => {
    if (status === 'under_review') return undefined;
    return conflictAnswer(status === 'draft' || status === 'deferred' ? 'invalid_transition' : 'packet_closed');
  },
  decision_allowed: ({ call, packet: { fromTier }, review, toTier }) => {
    const allowed = review.decisions.find(({ decision }) => decision === call.decision);
    const isAllowed = toTier !== undefined && fromTier !== null && allowed?.tiers.includes(fromTier);
    return isAllowed ? undefined : invalidAnswer('decision_not_allowed');
  },
  specialist: ({ call: { caller }, packet: { fromTier }, toTier }) => {
    const isIntensive = fromTier === mostIntensiveTier || toTier === mostIntensiveTier;
    return !isIntensive || (caller.persona === 'ADMIN' && caller.isSpecialist) ? undefined : denied;
  },
  other_person: ({ call: { caller }, packet: { fromTier, openedBy }, toTier }) => {
    const isIntensive = fromTier === mostIntensiveTier || toTier === mostIntensiveTier;
    const isOther = caller.id !== openedBy && caller.isIndependent !== false;
    return isIntensive && fromTier !== toTier && !isOther ? denied : undefined;
  },
  not_halted: ({ student }) => (student.halted ? halted : undefined),
  tier_unchanged: ({ packet, student, review }) => {
    if (packet.fromTier !== student.tier) return conflictAnswer('tier_changed');
    return student.acuteOpen && !goesBesideAcute(review) ? conflictAnswer('packet_required') : undefined;
  },
  evidence_unchanged: ({ packet }) => (packet.evidenceFresh ? undefined : conflictAnswer('evidence_stale')),
  delivered: ({ student, review }) => {
    if (student.gate === 'pass') return undefined;
    const isFree = student.gate === 'not_applicable' && review.tiersWithoutDelivery.includes(student.tier);
    return isFree ? undefined : conflictAnswer('fidelity_gate');
  },
  sufficient: ({ call, student: { reason }, review }) => {
    if (reason === 'NONE' || review.ignoredReasons.includes(reason)) return undefined;
    if (reason === 'CONTEXT_ACTIVE' && call.overrideCode !== undefined) return undefined;
    return conflictAnswer('insufficient_data');
  },
  reasoned: ({ call, packet }) => reasonRefusal(call, packet.recommended),
};

const denied: RtiAnswer = { status: 403, issue: 'PERMISSION_DENIED' };

export interface ApprovalRules extends PacketRules {
  readonly codes: ReasonCodes;
}

export function checkApproval(
  call: ApprovalCall,
  packet: ApprovedPacket,
  student: ApprovalStudent,
  rules: ApprovalRules,
): RtiAnswer {
  const fault = approvalFault(call, rules.codes);
  if (fault) return invalidAnswer(fault.issue);
  const asked = askedOf(call, packet, student, rules);
  for (const gate of rules.gates) {
    const refusal = isAsked(gate, call.decision) ? checks[gate.check](asked) : undefined;
    if (refusal) return refusal;
  }
  return { status: 200, issue: null };
}

/** The first fault of a call that does not depend on the packet. */
export function approvalFault(
  { decision, overrideCode, deferralCode }: Omit<ApprovalCall, 'caller'>,
  codes: ReasonCodes,
): { readonly field: string; readonly issue: string } | undefined {
  const override = codeFault(overrideCode, 'packet_approval', codes);
  if (override !== undefined) return { field: 'overrideCode', issue: override };
  if ((decision === 'defer') !== (deferralCode !== undefined)) {
    return { field: 'deferralCode', issue: decision === 'defer' ? 'required' : 'not_for_decision' };
  }
  const deferral = reasonFault(deferralCode, 'packet_deferral', codes);
  return deferral === undefined ? undefined : { field: 'deferralCode', issue: deferral };
}

/** The dictionary of reasons is closed: a code of another scope is refused like an unknown one. */
export const reasonFault = (code: string | undefined, scope: string, codes: ReasonCodes): 'unknown_code' | undefined =>
  code === undefined || codes.faultOf(code, scope) === undefined ? undefined : 'unknown_code';

export interface ShownGate {
  readonly gateId: string;
  /** Null when the gate does not apply to the decision; `issue` is then `notAsked`. */
  readonly met: boolean | null;
  readonly issue: string | null;
}

const notAsked = 'not_asked';

const shown: ReadonlySet<GateCheck> = new Set([
  'not_halted',
  'tier_unchanged',
  'evidence_unchanged',
  'delivered',
  'sufficient',
]);

/** The decision taken; null without a decision and a recommendation. */
export type GatesFor = Pick<ApprovalCall, 'overrideCode'> & { readonly decision: TierDecision | null };

/** The present gates GTE-05 to 09 for a decision; all of them are evaluated. */
export function gatesOf(
  { decision, overrideCode }: GatesFor,
  packet: ApprovedPacket,
  student: ApprovalStudent,
  rules: PacketRules,
): readonly ShownGate[] {
  const caller = { id: packet.openedBy, persona: '', isSpecialist: false };
  const asked = decision && askedOf({ decision, overrideCode, caller }, packet, student, rules);
  return rules.gates
    .filter(({ check }) => shown.has(check))
    .map((gate) => {
      const { gateId, check } = gate;
      if (!asked || !isAsked(gate, asked.call.decision)) return { gateId, met: null, issue: notAsked };
      const refusal = checks[check](asked);
      return { gateId, met: refusal === undefined, issue: refusal?.issue ?? null };
    });
}

/** Stored gates; earlier releases stored "met" for gates that do not apply to the decision. */
export const askedGates = (
  decision: TierDecision | null,
  stored: readonly ShownGate[],
  { gates }: Pick<PacketRules, 'gates'>,
): readonly ShownGate[] =>
  stored.map((one) => {
    const gate = gates.find(({ gateId }) => gateId === one.gateId);
    const isOfDecision = gate && decision !== null && isAsked(gate, decision);
    return isOfDecision ? one : { gateId: one.gateId, met: null, issue: notAsked };
  });

function askedOf(call: ApprovalCall, packet: ApprovedPacket, student: ApprovalStudent, { byType }: PacketRules): Asked {
  const review = byType.get(packet.reviewType);
  if (!review) throw new RangeError(`no review ${packet.reviewType}`);
  const toTier = packet.fromTier === null ? undefined : tierAfter(packet.fromTier, call.decision);
  return { call, packet, student, review, toTier };
}
