// Rows of packets. Every writer holds the lock of the student's support.

import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { SupportTier } from '../../interventions/index.ts';
import type {
  DueState,
  PacketStatus,
  PresentedAdvice,
  ReviewType,
  ShownGate,
  TierDecision,
  TierInput,
} from '../../rti/index.ts';
import type { EvidenceItem } from '../evidence/types.ts';
import type { PacketFigures } from './figures.ts';

export class DecisionPacket extends Row {
  static override tableName = 'decision_packet';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['evidence', 'recommendation', 'facts', 'figures', 'gates', 'ruleVersions'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare reviewType: ReviewType;
  declare status: PacketStatus;
  /** The alert that was open when the packet was opened, or assembled. */
  declare alertId: string | null;
  declare openedBy: number;
  declare openedAt: string;
  /** IANA name of the time zone of the student's dates when the packet was opened. */
  declare timeZone: string;
  /** This and the following columns are null in a draft. */
  declare assembledAt: string | null;
  /** User id of the last who has assembled it; null also for packets from before it was stored. */
  declare assembledBy: number | null;
  /** When it came under review; null also for packets from before it was stored. */
  declare reviewedSince: string | null;
  declare fromTier: SupportTier | null;
  /** Local date, inclusive. */
  declare evidenceFrom: string | null;
  /** Newest first. */
  declare evidence: EvidenceItem[];
  declare evidenceHash: string | null;
  declare recommendation: PresentedAdvice | null;
  /** The input of the recommendation, from which it can be replayed. */
  declare facts: TierInput | null;
  /** For the document alone; null also for packets from before it was stored. */
  declare figures: PacketFigures | null;
  /** The gates at the time of assembly, later at the time of closing. */
  declare gates: ShownGate[];
  declare decision: TierDecision | null;
  declare toTier: SupportTier | null;
  declare decisionId: string | null;
  declare movementId: number | null;
  declare overrideCode: string | null;
  declare deferralCode: string | null;
  /** Local date. */
  declare deferUntil: string | null;
  /** When it was last deferred; it stays when the deferral ends. */
  declare deferredAt: string | null;
  /** The date from which the due days are counted; null under rules without due days. */
  declare dueFrom: string | null;
  /** Null unless under review. */
  declare dueOn: string | null;
  /** The highest that has come. */
  declare stage: DueState['stage'];
  /** The highest that approvers or principals were told. */
  declare toldStage: DueState['stage'];
  /** Whether the administrators were told of the last stage. */
  declare adminsTold: boolean;
  declare rejectReasonCode: string | null;
  /** Null also when the service closed it. */
  declare closedBy: number | null;
  declare closedAt: string | null;
  declare ruleVersions: Readonly<Record<string, number>>;
}

/** The values that make a packet a draft again. */
export const unassembled = {
  ...{
    assembledAt: null,
    assembledBy: null,
    reviewedSince: null,
    fromTier: null,
    evidenceFrom: null,
    evidence: [],
    evidenceHash: null,
  },
  ...{ recommendation: null, facts: null, figures: null, gates: [] },
} as const;

export const undecided = { decision: null, deferralCode: null, deferUntil: null } as const;

type Change = Partial<Omit<DecisionPacket, keyof Row | 'id' | 'organizationId' | 'studentId' | 'reviewType'>>;

/** The single writer of transitions of a packet. Returns the row after the change. */
export async function changePacket(trx: Trx, row: DecisionPacket, change: Change): Promise<DecisionPacket> {
  const { organizationId, id } = row;
  await DecisionPacket.query(trx).where({ organizationId, id }).patch(change);
  return Object.assign(new DecisionPacket(), row, change);
}
