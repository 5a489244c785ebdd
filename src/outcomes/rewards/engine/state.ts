// All that is known of a student's rewards, told from mastery events alone: so that it can be told again at any time.
import { noStreak, type Streak } from './streak.ts';
import { firstAvatarTier, type MasterySourceKind } from './vocabulary.ts';

export interface AwardedBadge {
  readonly code: string;
  /** As it was booked, whatever the badge brings by now. */
  readonly bonusXp: number;
  readonly masteryEventId: number;
  readonly isRescinded: boolean;
}

export interface LedgerState {
  readonly events: number;
  readonly byKind: Readonly<Partial<Record<MasterySourceKind, number>>>;
  /** Credits by `sessionKey`, without what badges bring. */
  readonly creditedBySession: ReadonlyMap<string, number>;
  readonly streak: Streak;
  readonly avatarTier: number;
  /** By code: awarded once for ever, also after a rescind. */
  readonly awarded: ReadonlyMap<string, AwardedBadge>;
  readonly xpBalance: number;
}

export const emptyLedger: LedgerState = {
  events: 0,
  byKind: {},
  creditedBySession: new Map(),
  streak: noStreak,
  avatarTier: firstAvatarTier,
  awarded: new Map(),
  xpBalance: 0,
};
