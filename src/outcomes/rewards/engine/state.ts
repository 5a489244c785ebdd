// The state of a student's rewards, derived from mastery events only, so that it can be replayed at any time.

import { firstAvatarTier, type MasterySourceKind } from './enums.ts';
import { noStreak, type Streak } from './streak.ts';

export interface AwardedBadge {
  readonly code: string;
  /** Bonus as booked, whatever the badge earns now. */
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
  /** Keyed by code; a badge is awarded once, also after a rescind. */
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
