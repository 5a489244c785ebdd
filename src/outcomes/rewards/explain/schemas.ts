// Schemas of what is explained of growth: a mastery event and a badge, each with what it was found in and what it brought.
import Type, { type Static } from 'typebox';
import { CalendarDate, Count, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { explainedFrame, listOf } from '#rules/rulesets/index.ts';
import { badgeOutcomes } from '../engine/badges.ts';
import { celebrationKinds, masterySourceKinds, xpKinds } from '../engine/vocabulary.ts';
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

/** What the rules that the event is pinned to make of it, after all earlier events. */
const AwardView = named(
  'ExplainedAward',
  object({
    xp: object({
      ...{ ofKind: Count, sessionCap: Count },
      /** By earlier events of the same session. */
      creditedBefore: Count,
      credited: Count,
    }),
    streak: object({ before: StreakView, after: StreakView, missedSchoolDays: Count, graceSchoolDays: Count }),
    avatarTier: object({ before: Count, after: Count, events: Count }),
    /** In the order of evaluation, which ends with the badge that is awarded. */
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

/** What is asked before growth is recorded, in its order, and what follows; each is asked again here. */
const Check = named(
  'MasteryCheck',
  Type.Union([
    object({ check: Type.Literal('halt'), outcome: oneOf(['not_halted', 'halted']) }),
    object({ check: Type.Literal('growth'), outcome: oneOf(['same', 'other', 'none']) }),
    object({ check: Type.Literal('ground'), outcome: oneOf(['new', 'reached_before']) }),
    object({ check: Type.Literal('award'), outcome: oneOf(['same', 'other']) }),
  ]),
);
export type Check = Static<typeof Check>;

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
      /** The row that it is better than; null where the growth is no comparison. */
      compared: nullable(object({ id: Text, stampId: StampId, value: Text })),
      /** The newest evidence or delivery, which was new. */
      evidence: object({ sessionKey: Text, storedAt: Timestamp }),
    }),
    checks: listOf(Check),
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
    /** All badges that were asked about with the event, in the order of evaluation. */
    evaluated: listOf(BadgeCheckView),
    /** The bonus, and what was taken back. */
    booked: object({ xp: listOf(XpView) }),
  }),
);
export type ExplainedBadge = Static<typeof ExplainedBadge>;
