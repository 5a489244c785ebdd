// Computes what one new mastery event earns: XP, a streak tick, a tier, at most one badge, and celebrations (60 §1).

import { firstMet } from './badges.ts';
import type { CelebrationKind, MasteryFact } from './enums.ts';
import type { RewardRules } from './rules.ts';
import type { LedgerState } from './state.ts';
import { type Streak, tick } from './streak.ts';

export interface Credit {
  readonly amount: number;
  /** Full XP of the kind, when the session cap reduced it. */
  readonly cappedFrom?: number;
}

export interface Celebration {
  readonly kind: CelebrationKind;
  /** The tier or the milestone. */
  readonly value: number;
}

export interface Award {
  /** Absent when the session cap is reached. */
  readonly credit?: Credit;
  /** Streak after this event. */
  readonly streak: Streak;
  /** Tier after this event. A reached tier stays, whatever later thresholds are. */
  readonly avatarTier: number;
  readonly badge?: { readonly code: string; readonly bonusXp: number };
  readonly celebrations: readonly Celebration[];
}

/** Returns the award. `before` is the student's whole ledger without this event. */
export function awardFor(rules: RewardRules, before: LedgerState, event: MasteryFact): Award {
  const streak = tick(before.streak, event, rules);
  const avatarTier = Math.max(before.avatarTier, rules.tierOf(before.events + 1));
  const credit = creditOf(rules, before, event);
  const badge = firstMet(rules, { before, event, streak });
  return {
    ...(credit && { credit }),
    ...(badge && { badge: { code: badge.code, bonusXp: badge.bonusXp } }),
    ...{ streak, avatarTier },
    celebrations: [...milestonesOf(rules, before.streak, streak), ...tiersPassed(before.avatarTier, avatarTier)],
  };
}

function creditOf(rules: RewardRules, before: LedgerState, event: MasteryFact): Credit | undefined {
  const full = rules.xp[event.sourceKind];
  const left = rules.sessionCap - (before.creditedBySession.get(event.sessionKey) ?? 0);
  if (left <= 0) return undefined;
  return full <= left ? { amount: full } : { amount: left, cappedFrom: full };
}

/** A milestone is celebrated each time a run reaches it; an event without a tick reaches none. */
function milestonesOf({ streak: { milestones } }: RewardRules, before: Streak, after: Streak): Celebration[] {
  const isReached = after.lastTickDate !== before.lastTickDate && milestones.includes(after.current);
  return isReached ? [{ kind: 'streak_milestone', value: after.current }] : [];
}

const tiersPassed = (before: number, after: number): Celebration[] =>
  Array.from({ length: after - before }, (_, at) => ({ kind: 'avatar_tier', value: before + at + 1 }));
