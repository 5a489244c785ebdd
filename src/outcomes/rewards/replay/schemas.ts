// Schemas of a replay of one student's ledgers.
import Type from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { IntegerId, named, object, Timestamp } from '#core/http/schemas.ts';

export const RewardReplayBody = named('ReplayGamification', object({ studentId: IntegerId, asOf: InstantText }));

const LedgerSummary = named(
  'RewardLedgerSummary',
  object({
    xpBalance: Type.Integer(),
    badgeCodes: Type.Array(Type.String()),
    avatarTier: Type.Integer({ minimum: 1 }),
  }),
);

export const RewardReplayView = named(
  'GamificationReplay',
  object({
    studentId: IntegerId,
    asOf: Timestamp,
    /** Derived from the mastery events by the pinned rules. */
    derived: LedgerSummary,
    /** Summary of the booked rows. */
    stored: LedgerSummary,
    drift: object({ xpBalance: Type.Boolean(), badges: Type.Boolean(), avatarTier: Type.Boolean() }),
    hasDrift: Type.Boolean(),
  }),
);
