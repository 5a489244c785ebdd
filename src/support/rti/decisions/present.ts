// The response of a decision.
import type { RtiDecision } from '../rows/decisions.ts';

export const presentDecision = (row: RtiDecision) => ({
  decisionId: row.id,
  studentId: row.studentId,
  decision: row.decision,
  recommendedDecision: row.recommendedDecision,
  fromTier: row.fromTier,
  toTier: row.toTier,
  movementId: row.movementId,
  overrideCode: row.overrideCode,
  effectiveOn: row.effectiveOn,
  effectiveReason: row.effectiveReason,
  committedAt: row.committedAt,
  decidedBy: row.decidedBy,
  packetId: row.packetId,
  closedAlertId: row.closedAlertId,
  ruleVersions: { ...row.ruleVersions },
});
