// Schemas of explanations of mastery events and badges.
import Type, { type Static } from 'typebox';
import { CalendarDate, Count, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { explainedFrame, listOf } from '#rules/rulesets/index.ts';
import { badgeOutcomes } from '../engine/badges.ts';
import { celebrationKinds, masterySourceKinds, xpKinds } from '../engine/enums.ts';
import { masterySourceTypes } from '../enums.ts';

const Text = Type.String();
const StampId = nullable(
  Type.String({
    description: 'What can be explained further: `skill:17`. Null for what has no explanation of its own.',
  }),
);

const Condition = named(
  'BadgeCondition',
  Type.Union([
    object({ events: Type.Integer({ minimum: 1 }) }),
    object({ kind: oneOf(masterySourceKinds) }),
    object({ streak: Type.Integer({ minimum: 1 }) }),
  ]),
);

const BadgeCheckView = named(
  'BadgeCheck',
  object({
    ...{ code: Text, condition: Condition, outcome: oneOf(badgeOutcomes) },
    /** Events, events of the kind, or days of the longest run, up to and including the mastery event. */
    reached: Count,
  }),
);

const StreakView = object({ current: Count, longest: Count, lastTickDate: nullable(CalendarDate) });

/** The award by the rules that the event is pinned to, after all earlier events. */
const AwardView = named(
  'ExplainedAward',
  object({
    xp: object({
      ...{ ofKind: Count, sessionCap: Count },
      /** XP credited for earlier events of the session. */
      creditedBefore: Count,
      credited: Count,
    }),
    streak: object({ before: StreakView, after: StreakView, missedSchoolDays: Count, graceSchoolDays: Count }),
    avatarTier: object({ before: Count, after: Count, events: Count }),
    /** In evaluation order, which ends with the awarded badge. */
    badges: listOf(BadgeCheckView),
    celebrations: listOf(object({ kind: oneOf(celebrationKinds), value: Count })),
  }),
);
export type AwardView = Static<typeof AwardView>;

const XpView = object({
  ...{
    id: IntegerId,
    kind: oneOf(xpKinds),
    amount: Type.Integer(),
    cappedFrom: nullable(Count),
    recordedAt: Timestamp,
  },
});

/** Checks before growth is recorded, in their order, and the check of the award. Each is replayed. */
export const RewardCheck = named(
  'MasteryCheck',
  Type.Union([
    object({ check: Type.Literal('halt'), outcome: oneOf(['not_halted', 'halted']) }),
    object({ check: Type.Literal('growth'), outcome: oneOf(['same', 'other', 'none']) }),
    object({ check: Type.Literal('ground'), outcome: oneOf(['new', 'reached_before']) }),
    object({ check: Type.Literal('award'), outcome: oneOf(['same', 'other']) }),
  ]),
);
export type RewardCheck = Static<typeof RewardCheck>;

export const ExplainedMastery = named(
  'ExplainedMastery',
  object({
    ...explainedFrame,
    kind: Type.Literal('mastery'),
    result: object({
      ...{ sourceKind: oneOf(masterySourceKinds), naturalKey: Text, reached: nullable(Text) },
      ...{ subSkillCode: nullable(Text), domainCode: nullable(Text), sessionKey: Text },
      ...{ occurredAt: Timestamp, localDate: CalendarDate, missedSchoolDays: Count },
    }),
    from: object({
      source: object({ type: oneOf(masterySourceTypes), id: Text, stampId: StampId }),
      /** The row that the growth improved on; null when the growth is no comparison. */
      compared: nullable(object({ id: Text, stampId: StampId, value: Text })),
      /** The newest evidence or delivery. */
      evidence: object({ sessionKey: Text, storedAt: Timestamp }),
    }),
    checks: listOf(RewardCheck),
    award: AwardView,
    booked: object({
      xp: listOf(XpView),
      badge: nullable(object({ code: Text, stampId: Text })),
      celebrations: listOf(object({ kind: oneOf(celebrationKinds), value: Count })),
    }),
  }),
);
export type ExplainedMastery = Static<typeof ExplainedMastery>;

export const ExplainedBadge = named(
  'ExplainedBadge',
  object({
    ...explainedFrame,
    kind: Type.Literal('badge'),
    result: object({
      ...{ code: Text, status: oneOf(['active', 'rescinded']), condition: Condition, reached: Count },
      rescind: nullable(object({ overrideCode: Text, rescindedBy: IntegerId, recordedAt: Timestamp })),
    }),
    from: object({
      masteryEvent: object({ stampId: Text, sourceKind: oneOf(masterySourceKinds), occurredAt: Timestamp }),
    }),
    /** All badges that were checked with the event, in evaluation order. */
    evaluated: listOf(BadgeCheckView),
    /** The bonus and its reversal. */
    booked: object({ xp: listOf(XpView) }),
  }),
);
export type ExplainedBadge = Static<typeof ExplainedBadge>;
