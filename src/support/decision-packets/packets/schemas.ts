// Schemas of packets and of their transitions.
import Type from 'typebox';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import {
  CalendarDate,
  Cuid,
  EnteredDate,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import {
  FrozenAdviceView,
  packetStatuses,
  RtiVersions,
  reviewTypes,
  SupportTierSchema,
  tierDecisions,
} from '../../rti/index.ts';
import { EvidenceView } from '../evidence/schemas.ts';

const CodeWord = Type.String({ minLength: 1, maxLength: 64 });

export const PacketView = named(
  'DecisionPacket',
  object({
    packetId: Cuid,
    studentId: IntegerId,
    reviewType: oneOf(reviewTypes),
    status: oneOf(packetStatuses),
    alertId: nullable(Cuid),
    ...{ openedBy: IntegerId, openedAt: Timestamp, assembledAt: nullable(Timestamp) },
    fromTier: nullable(SupportTierSchema),
    evidence: Type.Array(EvidenceView),
    evidenceHash: nullable(Type.String()),
    recommendation: nullable(FrozenAdviceView),
    gates: Type.Array(
      named(
        'PacketGate',
        object({
          gateId: Type.String(),
          met: nullable(Type.Boolean({ description: 'null: the decision does not ask for the gate' })),
          issue: nullable(Type.String({ description: '`not_asked` where met is null' })),
        }),
      ),
    ),
    decision: nullable(oneOf(tierDecisions)),
    toTier: nullable(SupportTierSchema),
    ...{ decisionId: nullable(Cuid), movementId: nullable(IntegerId) },
    ...{ overrideCode: nullable(Type.String()), deferralCode: nullable(Type.String()) },
    deferUntil: nullable(CalendarDate),
    rejectReasonCode: nullable(Type.String()),
    ...{ closedBy: nullable(IntegerId), closedAt: nullable(Timestamp) },
    ruleVersions: RtiVersions,
  }),
);

/** The evidence about the student is insufficient; nothing was written. */
export const HaltedPacket = named(
  'PacketNotDecided',
  object({
    outcome: oneOf(['do_not_decide_yet']),
    nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
    packet: nullable(PacketView),
  }),
);

export const PacketOrHalt = Type.Union([PacketView, HaltedPacket]);

export const PacketList = named('DecisionPacketList', page(PacketView));

export const PacketQuery = object({
  ...pageQuery,
  status: Type.Optional(oneOf(packetStatuses)),
  reviewType: Type.Optional(oneOf(reviewTypes)),
  classId: Type.Optional(IntegerId),
  schoolId: Type.Optional(Cuid),
});

export const OpeningBody = object({ reviewType: oneOf(reviewTypes) });

const ofStudent = object({ studentId: IntegerId, reviewType: oneOf(reviewTypes) });

/** An existing packet, or one that the call opens. */
export const AssemblyBody = Type.Union([object({ packetId: Cuid }), ofStudent]);

export const ApprovalBody = object({
  decision: oneOf(tierDecisions),
  overrideCode: Type.Optional(CodeWord),
  /** Required for a deferral, and not allowed otherwise. */
  deferralCode: Type.Optional(CodeWord),
  effectiveOn: Type.Optional(EnteredDate),
});

export const RejectionBody = object({ reasonCode: CodeWord });
