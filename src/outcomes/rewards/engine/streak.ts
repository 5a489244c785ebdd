// The streak: the run of days on which a student grew. Days without school are never missed, and stored ticks never
// change.

import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { isInstructional, type SchoolCalendar } from '#support/interventions/engine/index.ts';
import type { MasteryFact } from './enums.ts';
import type { RewardRules } from './rules.ts';

export interface Streak {
  readonly current: number;
  readonly longest: number;
  readonly lastTickDate: string | null;
}

export const noStreak: Streak = { current: 0, longest: 0, lastTickDate: null };

type Grace = Pick<RewardRules, 'streak'>;

/** A date ticks only when it is after the last tick. */
const ticks = ({ lastTickDate }: Streak, localDate: string): boolean =>
  lastTickDate === null || localDate > lastTickDate;

export function tick(
  before: Streak,
  { localDate, missedSchoolDays }: Pick<MasteryFact, 'localDate' | 'missedSchoolDays'>,
  { streak }: Grace,
): Streak {
  if (!ticks(before, localDate)) return before;
  const current = missedSchoolDays > streak.graceSchoolDays ? 1 : before.current + 1;
  return { current, longest: Math.max(before.longest, current), lastTickDate: localDate };
}

/**
 * Returns the number of school days strictly between the last tick and a date; 0 without a tick or when the date does
 * not tick. `most` limits the count.
 */
export function missedSchoolDays(
  calendar: SchoolCalendar,
  lastTickDate: string | null,
  localDate: string,
  most = Number.POSITIVE_INFINITY,
): number {
  if (lastTickDate === null) return 0;
  let missed = 0;
  for (let day = daysAfter(lastTickDate, 1); day < localDate && missed < most; day = daysAfter(day, 1)) {
    if (isInstructional(calendar, day)) missed += 1;
  }
  return missed;
}

/** Returns the streak as of a day: 0 when no tick on this day could continue the run. */
export function streakOn(
  streak: Streak,
  calendar: SchoolCalendar,
  today: string,
  { streak: { graceSchoolDays } }: Grace,
): Streak {
  const missed = missedSchoolDays(calendar, streak.lastTickDate, today, graceSchoolDays + 1);
  return missed > graceSchoolDays ? { ...streak, current: 0 } : streak;
}
