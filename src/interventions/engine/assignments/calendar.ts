// The weeks of a school: which days are taught, where a week begins, and how many weeks of teaching lie between two dates.
import { dateOfDay, dayNumber, isoWeekday } from '../../../platform/pure/dates/days.ts';

export interface SchoolCalendar {
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates. */
  readonly holidays: ReadonlySet<string>;
}

/** Friday and Saturday. */
export const defaultWeekend: readonly number[] = [5, 6];

export const schoolCalendar = (weekend: readonly number[] = defaultWeekend, holidays: readonly string[] = []) => ({
  weekend,
  holidays: new Set(holidays),
});

export const isInstructional = ({ weekend, holidays }: SchoolCalendar, date: string): boolean =>
  !weekend.includes(isoWeekday(date)) && !holidays.has(date);

const saturday = 6;
const sunday = 7;
const nextDay = (day: number): number => (day % sunday) + 1;

/** The last weekend day ends the week; of several separate runs of weekend days the one that begins last in ISO order. */
function lastDayOfWeek(weekend: readonly number[]): number {
  const begins = weekend.filter((day) => !weekend.some((other) => nextDay(other) === day));
  if (begins.length === 0) return weekend.length === 0 ? saturday : Math.max(...weekend);
  let day = Math.max(...begins);
  while (weekend.includes(nextDay(day))) day = nextDay(day);
  return day;
}

/** The first date of the week that holds a date. */
export function weekStartOf({ weekend }: SchoolCalendar, date: string): string {
  const first = nextDay(lastDayOfWeek(weekend));
  return dateOfDay(dayNumber(date) - ((isoWeekday(date) - first + 7) % 7));
}

export interface SchoolWeek {
  readonly start: string;
  readonly end: string;
  /** Instructional days inside the period, in order. */
  readonly days: readonly string[];
}

/**
 * Instructional weeks from `from` on, in order, that are complete at `asOf`: their last calendar day is before it, and of
 * their days from `from` on at least `minDays` are instructional.
 */
export function* completeWeeks(
  calendar: SchoolCalendar,
  from: string,
  asOf: string,
  minDays: number,
): Generator<SchoolWeek> {
  const [first, until] = [dayNumber(from), dayNumber(asOf)];
  for (let start = dayNumber(weekStartOf(calendar, from)); start + 6 < until; start += 7) {
    const dates = Array.from({ length: 7 }, (_, at) => start + at).filter((day) => day >= first);
    const days = dates.map(dateOfDay).filter((date) => isInstructional(calendar, date));
    if (days.length >= minDays) yield { start: dateOfDay(start), end: dateOfDay(start + 6), days };
  }
}

export const weeksBetween = (calendar: SchoolCalendar, from: string, asOf: string, minDays: number): number =>
  [...completeWeeks(calendar, from, asOf, minDays)].length;
