// What one new mastery event brings: XP, a tick of the streak, a tier, at most one badge, and what is celebrated (60 §1).

import { firstMet } from './badges.ts';
import type { RewardRules } from './rules.ts';
import type { LedgerState } from './state.ts';
import { type Streak, tick } from './streak.ts';
import type { CelebrationKind, MasteryFact } from './vocabulary.ts';

export interface Credit {
  readonly amount: number;
  /** XP of the kind, where the session had less left. */
  readonly cappedFrom?: number;
}

export interface Celebration {
  readonly kind: CelebrationKind;
  /** The tier, or the milestone. */
  readonly value: number;
}

export interface Award {
  /** Left out where the session is full. */
  readonly credit?: Credit;
  /** After this event. */
  readonly streak: Streak;
  /** After this event. A tier that was reached stays, whatever later thresholds are. */
  readonly avatarTier: number;
  readonly badge?: { readonly code: string; readonly bonusXp: number };
  readonly celebrations: readonly Celebration[];
}

/** `before` is the student's whole ledger without this event. */
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

/** Each time that a run reaches one: an event that ticks nothing reaches none. */
function milestonesOf({ streak: { milestones } }: RewardRules, before: Streak, after: Streak): Celebration[] {
  const isReached = after.lastTickDate !== before.lastTickDate && milestones.includes(after.current);
  return isReached ? [{ kind: 'streak_milestone', value: after.current }] : [];
}

const tiersPassed = (before: number, after: number): Celebration[] =>
  Array.from({ length: after - before }, (_, at) => ({ kind: 'avatar_tier', value: before + at + 1 }));
