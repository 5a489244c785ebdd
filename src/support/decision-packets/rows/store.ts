// The rows of packets. Whoever writes one holds the lock of the student's support.

import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { SupportTier } from '../../interventions/index.ts';
import type { PacketStatus, PresentedAdvice, ReviewType, ShownGate, TierDecision, TierInput } from '../../rti/index.ts';
import type { EvidenceItem } from '../evidence/types.ts';

export class DecisionPacket extends Row {
  static override tableName = 'decision_packet';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['evidence', 'recommendation', 'facts', 'gates', 'ruleVersions'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare reviewType: ReviewType;
  declare status: PacketStatus;
  /** The one that was open when the packet was opened, or assembled. */
  declare alertId: string | null;
  declare openedBy: number;
  declare openedAt: string;
  /** IANA name of the student's dates when the packet was opened. */
  declare timeZone: string;
  /** From here on: null in a draft. */
  declare assembledAt: string | null;
  declare fromTier: SupportTier | null;
  /** Local date, included. */
  declare evidenceFrom: string | null;
  /** Newest first. */
  declare evidence: EvidenceItem[];
  declare evidenceHash: string | null;
  declare recommendation: PresentedAdvice | null;
  /** What the recommendation was made from; it can be made again. */
  declare facts: TierInput | null;
  /** As they were when the packet was assembled, then as they were when it was closed. */
  declare gates: ShownGate[];
  declare decision: TierDecision | null;
  declare toTier: SupportTier | null;
  declare decisionId: string | null;
  declare movementId: number | null;
  declare overrideCode: string | null;
  declare deferralCode: string | null;
  /** Local date. */
  declare deferUntil: string | null;
  declare rejectReasonCode: string | null;
  /** Null also where the service closed it. */
  declare closedBy: number | null;
  declare closedAt: string | null;
  declare ruleVersions: Readonly<Record<string, number>>;
}

/** What makes a packet a draft again. */
export const unassembled = {
  ...{ assembledAt: null, fromTier: null, evidenceFrom: null, evidence: [], evidenceHash: null },
  ...{ recommendation: null, facts: null, gates: [] },
} as const;

export const undecided = { decision: null, deferralCode: null, deferUntil: null } as const;

type Change = Partial<Omit<DecisionPacket, keyof Row | 'id' | 'organizationId' | 'studentId' | 'reviewType'>>;

/** The one door through which a packet moves on. Answers the row as it is now. */
export async function changePacket(trx: Trx, row: DecisionPacket, change: Change): Promise<DecisionPacket> {
  const { organizationId, id } = row;
  await DecisionPacket.query(trx).where({ organizationId, id }).patch(change);
  return Object.assign(new DecisionPacket(), row, change);
}
