// Presents ledger rows to administrators.
import type { Static } from 'typebox';
import type { BadgeRow, MasteryEventRow, RescindRow, XpRow } from '../ledger/rows.ts';
import type { RewardAuditView } from './schemas.ts';

type View = Static<typeof RewardAuditView>;

export const presentEvent = (row: MasteryEventRow, evidenceVoided: boolean): View['masteryEvents'][number] => ({
  ...{ id: row.id, organizationId: row.organizationId, studentId: row.studentId, sourceKind: row.sourceKind },
  ...{ naturalKey: row.naturalKey, sourceEntity: { type: row.sourceType, id: row.sourceId } },
  ...(row.subSkillCode !== null && { subSkillCode: row.subSkillCode }),
  ...(row.domainCode !== null && { domainCode: row.domainCode }),
  ...{ sessionKey: row.sessionKey, occurredAt: row.occurredAt, localDate: row.localDate },
  ...{ missedSchoolDays: row.missedSchoolDays, recordedAt: row.recordedAt, ruleVersion: row.ruleVersion },
  evidenceVoided,
});

export const presentXp = (row: XpRow): View['xpTransactions'][number] => ({
  ...{ id: row.id, studentId: row.studentId, masteryEventId: row.masteryEventId, kind: row.kind, amount: row.amount },
  ...(row.cappedFrom !== null && { cappedFrom: row.cappedFrom }),
  ...(row.sessionKey !== null && { sessionKey: row.sessionKey }),
  ...(row.studentBadgeId !== null && { studentBadgeId: row.studentBadgeId }),
  ...{ recordedAt: row.recordedAt, ruleVersion: row.ruleVersion },
});

export const presentBadge = (row: BadgeRow): View['badges'][number] => ({
  ...{ id: row.id, studentId: row.studentId, code: row.code },
  ...{ triggeringMasteryEventId: row.triggeringMasteryEventId, awardedAt: row.awardedAt, ruleVersion: row.ruleVersion },
});

export const presentRescind = (row: RescindRow): View['rescinds'][number] => ({
  ...{ id: row.id, studentBadgeId: row.studentBadgeId, overrideCode: row.overrideCode },
  ...{ rescindedBy: row.rescindedBy, recordedAt: row.recordedAt },
});
