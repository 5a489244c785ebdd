// Whether a packet may be approved as a person asks (GTE): the gates in the order of the document, the first failure answers.
import {
  type FidelityGate,
  mostIntensiveTier,
  type ReasonCodes,
  type SufficiencyReason,
  type SupportTier,
} from '../../../interventions/engine/index.ts';
import { codeFault, conflict, halted, invalid, type RtiAnswer, reasonRefusal } from '../tiers/commit-check.ts';
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
    /** HIGH_INTENSITY_SPECIALIST. */
    readonly seat: boolean;
    /** Of whoever opened the packet. Default: yes. */
    readonly independent?: boolean;
  };
}

export interface ApprovedPacket {
  readonly status: PacketStatus;
  readonly reviewType: ReviewType;
  /** Frozen at assembly; null in a draft. */
  readonly fromTier: SupportTier | null;
  readonly openedBy: number;
  /** A fresh collection has the stored hash. */
  readonly evidenceFresh: boolean;
  readonly recommended: TierDecision | null;
}

export interface ApprovalStudent {
  readonly tier: SupportTier;
  readonly halted: boolean;
  readonly gate: FidelityGate;
  /** Of DSF. */
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

/** Decisions that a gate is asked of, where it is not all of them. */
const decisionsOf: Readonly<Partial<Record<GateCheck, readonly TierDecision[]>>> = {
  delivered: ['escalate'],
  sufficient: ['escalate', 'de_escalate'],
};

const isAsked = ({ check, ofDefer }: Gate, decision: TierDecision): boolean =>
  decision === 'defer' ? ofDefer : (decisionsOf[check]?.includes(decision) ?? true);

/** Undefined where the gate lets the decision through; of a decision that it is asked of. */
const checks: Readonly<Record<GateCheck, (asked: Asked) => RtiAnswer | undefined>> = {
  under_review: ({ packet: { status } }) => {
    if (status === 'under_review') return undefined;
    return conflict(status === 'draft' || status === 'deferred' ? 'invalid_transition' : 'packet_closed');
  },
  decision_allowed: ({ call, packet: { fromTier }, review, toTier }) => {
    const allowed = review.decisions.find(({ decision }) => decision === call.decision);
    const isAllowed = toTier !== undefined && fromTier !== null && allowed?.tiers.includes(fromTier);
    return isAllowed ? undefined : invalid('decision_not_allowed');
  },
  specialist: ({ call: { caller }, packet: { fromTier }, toTier }) => {
    const isIntensive = fromTier === mostIntensiveTier || toTier === mostIntensiveTier;
    return !isIntensive || (caller.persona === 'ADMIN' && caller.seat) ? undefined : denied;
  },
  other_person: ({ call: { caller }, packet: { fromTier, openedBy }, toTier }) => {
    const isIntensive = fromTier === mostIntensiveTier || toTier === mostIntensiveTier;
    const isOther = caller.id !== openedBy && caller.independent !== false;
    return isIntensive && fromTier !== toTier && !isOther ? denied : undefined;
  },
  not_halted: ({ student }) => (student.halted ? halted : undefined),
  tier_unchanged: ({ packet, student, review }) => {
    if (packet.fromTier !== student.tier) return conflict('tier_changed');
    return student.acuteOpen && !goesBesideAcute(review) ? conflict('packet_required') : undefined;
  },
  evidence_unchanged: ({ packet }) => (packet.evidenceFresh ? undefined : conflict('evidence_stale')),
  delivered: ({ student, review }) => {
    if (student.gate === 'pass') return undefined;
    const isFree = student.gate === 'not_applicable' && review.tiersWithoutDelivery.includes(student.tier);
    return isFree ? undefined : conflict('fidelity_gate');
  },
  sufficient: ({ call, student: { reason }, review }) => {
    if (reason === 'NONE' || review.ignoredReasons.includes(reason)) return undefined;
    if (reason === 'CONTEXT_ACTIVE' && call.overrideCode !== undefined) return undefined;
    return conflict('insufficient_data');
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
  if (fault) return invalid(fault.issue);
  const asked = askedOf(call, packet, student, rules);
  for (const gate of rules.gates) {
    const refusal = isAsked(gate, call.decision) ? checks[gate.check](asked) : undefined;
    if (refusal) return refusal;
  }
  return { status: 200, issue: null };
}

/** What is wrong with a call whatever the packet; the first one. */
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

/** A dictionary of reasons is closed: a code of another one is as unknown as any. */
export const reasonFault = (code: string | undefined, scope: string, codes: ReasonCodes): 'unknown_code' | undefined =>
  code === undefined || codes.faultOf(code, scope) === undefined ? undefined : 'unknown_code';

export interface ShownGate {
  readonly gateId: string;
  /** Null where the decision does not ask for the gate; `issue` is then `notAsked`. */
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

/** What was decided; null where nothing was, and nothing was recommended. */
export type GatesFor = Pick<ApprovalCall, 'overrideCode'> & { readonly decision: TierDecision | null };

/** GTE-05 to 09 as they stand for a decision; all of them, whatever the first one says. */
export function gatesOf(
  { decision, overrideCode }: GatesFor,
  packet: ApprovedPacket,
  student: ApprovalStudent,
  rules: PacketRules,
): readonly ShownGate[] {
  const caller = { id: packet.openedBy, persona: '', seat: false };
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

/** Gates as they were stored: earlier releases wrote "met" of those that the decision does not ask for. */
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
