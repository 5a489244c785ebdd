// Schemas of the audit of a student's ledgers.
import Type from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { CalendarDate, IntegerId, named, nullable, object, oneOf, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { masterySourceKinds, xpKinds } from '../engine/enums.ts';
import { masterySourceTypes } from '../enums.ts';

export const RewardAuditQuery = object({
  studentId: IntegerId,
  from: Type.Optional(InstantText),
  to: Type.Optional(InstantText),
  ...pageQuery,
});

const Text = Type.String();

const MasteryEventView = named(
  'MasteryEvent',
  object({
    ...{ id: IntegerId, organizationId: Text, studentId: IntegerId },
    ...{ sourceKind: oneOf(masterySourceKinds), naturalKey: Text },
    sourceEntity: object({ type: oneOf(masterySourceTypes), id: Text }),
    ...{ subSkillCode: Type.Optional(Text), domainCode: Type.Optional(Text), sessionKey: Text },
    ...{ occurredAt: Timestamp, localDate: CalendarDate, missedSchoolDays: Type.Integer({ minimum: 0 }) },
    ...{ recordedAt: Timestamp, ruleVersion: Text },
    evidenceVoided: Type.Boolean({ description: 'Whether the newest evidence behind it is voided now.' }),
  }),
);

const XpTransactionView = named(
  'XpTransaction',
  object({
    ...{ id: IntegerId, studentId: IntegerId, masteryEventId: IntegerId, kind: oneOf(xpKinds), amount: Type.Integer() },
    ...{ cappedFrom: Type.Optional(Type.Integer({ minimum: 1 })), sessionKey: Type.Optional(Text) },
    ...{ studentBadgeId: Type.Optional(IntegerId), recordedAt: Timestamp, ruleVersion: Text },
  }),
);

const StudentBadgeView = named(
  'StudentBadge',
  object({
    ...{ id: IntegerId, studentId: IntegerId, code: Text, triggeringMasteryEventId: IntegerId },
    ...{ awardedAt: Timestamp, ruleVersion: Text },
  }),
);

const RescindView = named(
  'StudentBadgeRescind',
  object({
    ...{ id: IntegerId, studentBadgeId: IntegerId, overrideCode: Text, rescindedBy: IntegerId, recordedAt: Timestamp },
  }),
);

export const RewardAuditView = named(
  'GamificationAudit',
  object({
    ...{ studentId: IntegerId, from: nullable(Timestamp), to: nullable(Timestamp) },
    masteryEvents: Type.Array(MasteryEventView),
    /** Booked under these events, as are the badges and rescinds below. */
    xpTransactions: Type.Array(XpTransactionView),
    badges: Type.Array(StudentBadgeView),
    rescinds: Type.Array(RescindView),
    nextCursor: nullable(Text),
  }),
);
