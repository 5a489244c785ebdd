// The event of packets: who has to know of a stage follows from it and from the people of that moment.
import Type from 'typebox';
import { IntegerId, nullable, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, type NewEvent, newEvent, TextId } from '#core/module/events.ts';
import { mostIntensiveTier } from '../interventions/index.ts';
import { packetDecisionWords, reviewTypes, stageAudiences, type TierDecision } from '../rti/index.ts';
import type { DecisionPacket } from './rows/store.ts';

export const packetStageCame = eventKind({
  topic: 'decision_packet.stage_came',
  summary:
    'A packet waits for its approval, is overdue, is decided, or is a draft again. Raised with the row that says so, under rules with due days.',
  payload: object({
    ...{ studentId: IntegerId, packetId: TextId, reviewType: oneOf(reviewTypes) },
    stage: oneOf(['packet_waiting', 'packet_decided', 'packet_due_again', 'overdue']),
    /** Of an overdue one. */
    to: Type.Optional(oneOf(stageAudiences)),
    decision: nullable(oneOf(packetDecisionWords)),
    /** Whether the most intensive tier is decided. */
    needsSpecialist: Type.Boolean(),
    openedBy: IntegerId,
    /** Who has assembled or decided it, and need not be told. */
    by: nullable(IntegerId),
  }),
});

type Stage = 'packet_waiting' | 'packet_due_again' | 'overdue';
type Packet = Pick<
  DecisionPacket,
  'id' | 'organizationId' | 'studentId' | 'reviewType' | 'openedBy' | 'assembledBy' | 'fromTier' | 'recommendation'
>;

/** Of a packet, because the specialist decides about the most intensive tier. */
const needsSpecialist = ({ fromTier, recommendation }: Pick<Packet, 'fromTier' | 'recommendation'>): boolean =>
  fromTier === mostIntensiveTier || recommendation?.toTier === mostIntensiveTier;

const about = (row: Packet) => ({
  ...{ studentId: row.studentId, packetId: row.id, reviewType: row.reviewType, openedBy: row.openedBy },
  needsSpecialist: needsSpecialist(row),
});

export const packetStage = (row: Packet, stage: Stage, to?: (typeof stageAudiences)[number]): NewEvent =>
  newEvent(packetStageCame, row.organizationId, {
    ...{ ...about(row), stage, decision: null, by: stage === 'packet_waiting' ? row.assembledBy : null },
    ...(to !== undefined && { to }),
  });

export const packetDecided = (row: Packet, decision: TierDecision | 'rejected', by: number): NewEvent =>
  newEvent(packetStageCame, row.organizationId, { ...about(row), stage: 'packet_decided', decision, by });
