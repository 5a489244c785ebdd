// Schemas of profiles and leaderboards.
import Type from 'typebox';
import {
  CalendarDate,
  Count,
  Cuid,
  IntegerId,
  IntegerIdText,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  Timestamp,
} from '#core/http/schemas.ts';
import { masterySourceKinds } from '../engine/enums.ts';

const BadgeEntry = named(
  'BadgeEntry',
  object({
    code: Type.String(),
    ...{ nameAr: Type.String(), descriptionAr: Type.String() },
    awardedAt: Timestamp,
    /** Only for adults of the school. */
    studentBadgeId: Type.Optional(IntegerId),
    status: Type.Optional(oneOf(['active', 'rescinded'])),
  }),
);

export const RewardProfile = named(
  'GamificationProfile',
  object({
    studentId: IntegerId,
    xpBalance: Type.Integer(),
    avatarTier: Type.Integer({ minimum: 1, maximum: 5 }),
    streak: object({ current: Count, longest: Count, lastTickDate: nullable(CalendarDate) }),
    badges: Type.Array(BadgeEntry),
    sinceMonthStart: object({
      masteryEventCount: Count,
      sameSpanBefore: Type.Integer({ minimum: 0, description: 'In the same days of the month before.' }),
    }),
  }),
);

const views = ['by_mastery_events', 'by_band_progression'] as const;

export const LeaderboardQuery = object({
  view: Type.Optional(oneOf(views)),
  windowDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 14 })),
});

const counts = { masteryEventCount: Count, bandProgressionCount: Count };

export const Leaderboard = named(
  'Leaderboard',
  object({
    scope: oneOf(['class', 'teacher', 'school']),
    view: oneOf(views),
    windowDays: Type.Integer({ minimum: 1, maximum: 90 }),
    framing: object({ topLabelAr: Type.String(), bottomLabelAr: Type.String() }),
    entries: Type.Array(
      named(
        'LeaderboardEntry',
        object({
          studentId: IntegerId,
          ...counts,
          sourceKindBreakdown: mapOf(`^(${masterySourceKinds.join('|')})$`, Type.Integer({ minimum: 1 })),
        }),
      ),
    ),
    classTotals: Type.Optional(Type.Array(object({ classId: IntegerId, ...counts }))),
  }),
);

export const teacherParams = object({ teacherUserId: IntegerIdText });
export const schoolParams = object({ schoolId: Cuid });
