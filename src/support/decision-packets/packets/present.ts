// The response of a packet.
import type { Static } from 'typebox';
import type { ShownGate } from '../../rti/index.ts';
import type { EvidenceItem } from '../evidence/types.ts';
import type { DecisionPacket } from '../rows/store.ts';
import type { PacketView } from './schemas.ts';

type View = Static<typeof PacketView>;

export const presentPacket = (row: DecisionPacket, gates: readonly ShownGate[]): View => ({
  packetId: row.id,
  studentId: row.studentId,
  reviewType: row.reviewType,
  status: row.status,
  alertId: row.alertId,
  ...{ openedBy: row.openedBy, openedAt: row.openedAt, assembledAt: row.assembledAt },
  fromTier: row.fromTier,
  evidence: row.evidence.map(presentEvidence),
  evidenceHash: row.evidenceHash,
  // Validated when it was stored.
  recommendation: row.recommendation && { ...row.recommendation },
  gates: gates.map(({ gateId, met, issue }) => ({ gateId, met, issue })),
  decision: row.decision,
  toTier: row.toTier,
  ...{ decisionId: row.decisionId, movementId: row.movementId },
  ...{ overrideCode: row.overrideCode, deferralCode: row.deferralCode, deferUntil: row.deferUntil },
  rejectReasonCode: row.rejectReasonCode,
  ...{ closedBy: row.closedBy, closedAt: row.closedAt },
  ruleVersions: { ...row.ruleVersions },
});

const presentEvidence = (item: EvidenceItem): EvidenceItem => ({
  ...{ evidenceId: item.evidenceId, type: item.type, refId: item.refId, occurredAt: item.occurredAt },
  ...{ subSkillCode: item.subSkillCode, domainCode: item.domainCode, measure: item.measure },
  ...{ valueCode: item.valueCode, ruleVersion: item.ruleVersion },
  // Packets that were assembled before voids were stored name none.
  voidId: item.voidId ?? null,
});
