// Selects the badge of an event: the first of the catalogue that was never awarded and whose condition holds (60 §1).

import type { MasteryFact } from './enums.ts';
import type { BadgeCondition, RewardRules } from './rules.ts';
import type { LedgerState } from './state.ts';
import type { Streak } from './streak.ts';

export const badgeOutcomes = ['awarded_before', 'not_met', 'awarded'] as const;

export interface BadgeCheck {
  readonly code: string;
  readonly condition: BadgeCondition;
  /** Events, events of the kind, or days of the longest run, up to and including this event. */
  readonly reached: number;
  readonly outcome: (typeof badgeOutcomes)[number];
}

/** The ledger before an event, the event, and the streak after it. */
export interface BadgeMoment {
  readonly before: LedgerState;
  readonly event: Pick<MasteryFact, 'sourceKind'>;
  readonly streak: Streak;
}

export const firstMet = ({ badges }: RewardRules, moment: BadgeMoment) =>
  badges.find(({ code, condition }) => !moment.before.awarded.has(code) && isMet(condition, moment));

/** Returns the checks in the order of evaluation, which ends with the awarded badge. */
export function badgeChecks(rules: RewardRules, moment: BadgeMoment): BadgeCheck[] {
  const awarded = firstMet(rules, moment);
  const last = awarded ? rules.badges.indexOf(awarded) + 1 : rules.badges.length;
  return rules.badges.slice(0, last).map((badge) => ({
    ...{ code: badge.code, condition: badge.condition, reached: reachedOf(badge.condition, moment) },
    outcome: badge === awarded ? 'awarded' : moment.before.awarded.has(badge.code) ? 'awarded_before' : 'not_met',
  }));
}

const isMet = (condition: BadgeCondition, moment: BadgeMoment): boolean =>
  reachedOf(condition, moment) >= neededFor(condition);

/** Counts the whole ledger including this event; for streaks the longest run. */
function reachedOf(condition: BadgeCondition, { before, event, streak }: BadgeMoment): number {
  if ('events' in condition) return before.events + 1;
  if ('streak' in condition) return streak.longest;
  return (before.byKind[condition.kind] ?? 0) + (event.sourceKind === condition.kind ? 1 : 0);
}

const neededFor = (condition: BadgeCondition): number =>
  'events' in condition ? condition.events : 'streak' in condition ? condition.streak : 1;
