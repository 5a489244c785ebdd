// Due days of alerts and packets (contract 53 §1): counted in school days of the calendar, and the stage that has come by a day.
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { isInstructional, type SchoolCalendar } from '../../../interventions/engine/index.ts';

/** In the order in which they come. The last two have one name for readers: `overdue`. */
export const dueStages = ['opened', 'reminder', 'overdue', 'overdue_again'] as const;
export type DueStage = (typeof dueStages)[number];

/** The stages as readers see them. */
export const shownStages = ['opened', 'reminder', 'overdue'] as const;
export type ShownStage = (typeof shownStages)[number];

export const shownStage = (stage: DueStage): ShownStage => (stage === 'overdue_again' ? 'overdue' : stage);

export const isLaterStage = (one: DueStage, other: DueStage): boolean =>
  dueStages.indexOf(one) > dueStages.indexOf(other);

/** Dates after the first one that are searched for school days. */
const horizon = 366;

/** The n-th school day after a date; null where the horizon holds no n school days. */
function schoolDayAfter(calendar: SchoolCalendar, from: string, count: number): string | null {
  for (let ahead = 1, found = 0; ahead <= horizon; ahead += 1) {
    const day = daysAfter(from, ahead);
    if (isInstructional(calendar, day)) found += 1;
    if (found === count) return day;
  }
  return null;
}

/** School days after the first date, up to the second one. */
export function schoolDaysBetween(calendar: SchoolCalendar, from: string, until: string): number {
  let found = 0;
  for (let day = daysAfter(from, 1); day <= until; day = daysAfter(day, 1)) {
    if (isInstructional(calendar, day)) found += 1;
  }
  return found;
}

export interface DueDays {
  /** Local date, as are the others; null where the calendar holds too few school days. */
  readonly dueOn: string | null;
  readonly overdueOn: string | null;
  readonly adminsOn: string | null;
}

/** The due day is the n-th school day after `from`; work is overdue from the 2n-th, and again from the 3n-th. */
export const dueDaysFrom = (calendar: SchoolCalendar, from: string, days: number): DueDays => ({
  dueOn: schoolDayAfter(calendar, from, days),
  overdueOn: schoolDayAfter(calendar, from, 2 * days),
  adminsOn: schoolDayAfter(calendar, from, 3 * days),
});

/** The highest stage that has come. */
export function stageAt({ dueOn, overdueOn, adminsOn }: DueDays, today: string): DueStage {
  const hasCome = (day: string | null) => day !== null && today >= day;
  if (hasCome(adminsOn)) return 'overdue_again';
  if (hasCome(overdueOn)) return 'overdue';
  return hasCome(dueOn) ? 'reminder' : 'opened';
}
