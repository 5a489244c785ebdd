// School weeks: instructional days, the first day of a week, and instructional weeks between two dates.
import { dateOfDay, dayNumber, daysAfter, isoWeekday, isoWeekdayOfDay } from '#core/platform/pure/dates/days.ts';

export interface SchoolCalendar {
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates. */
  readonly holidays: ReadonlySet<string>;
}

/** Friday and Saturday. */
const defaultWeekend: readonly number[] = [5, 6];

export const schoolCalendar = (weekend: readonly number[] = defaultWeekend, holidays: readonly string[] = []) => ({
  weekend,
  holidays: new Set(holidays),
});

export const isInstructional = ({ weekend, holidays }: SchoolCalendar, date: string): boolean =>
  !weekend.includes(isoWeekday(date)) && !holidays.has(date);

/** Days within which a day of school is looked for. */
const mostDays = 366;

/** Null where the calendar holds no day of school for a year. */
export function firstSchoolDayAfter(calendar: SchoolCalendar, date: string): string | null {
  for (let ahead = 1; ahead <= mostDays; ahead += 1) {
    const day = daysAfter(date, ahead);
    if (isInstructional(calendar, day)) return day;
  }
  return null;
}

const saturday = 6;
const sunday = 7;
const nextDay = (day: number): number => (day % sunday) + 1;

/** The last weekend day ends the week; with several separate runs of weekend days, the run that begins last in ISO order. */
function lastDayOfWeek(weekend: readonly number[]): number {
  const begins = weekend.filter((day) => !weekend.some((other) => nextDay(other) === day));
  if (begins.length === 0) return weekend.length === 0 ? saturday : Math.max(...weekend);
  let day = Math.max(...begins);
  while (weekend.includes(nextDay(day))) day = nextDay(day);
  return day;
}

/** The first date of the week of a date. */
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

interface WeekOfDays {
  /** Days since 1970-01-01. */
  readonly start: number;
  readonly days: readonly number[];
}

/**
 * Instructional weeks from `from` on that are complete at `asOf`: their last calendar day is before it, and at least
 * `minDays` of their days from `from` on are instructional. Days are numbers for speed, since years of weeks are counted for
 * a student.
 */
function* weeksOfDays(calendar: SchoolCalendar, from: string, asOf: string, minDays: number): Generator<WeekOfDays> {
  const [first, until] = [dayNumber(from), dayNumber(asOf)];
  const holidays = new Set([...calendar.holidays].map(dayNumber));
  for (let start = dayNumber(weekStartOf(calendar, from)); start + 6 < until; start += 7) {
    const days: number[] = [];
    for (let day = Math.max(start, first); day < start + 7; day += 1) {
      if (!calendar.weekend.includes(isoWeekdayOfDay(day)) && !holidays.has(day)) days.push(day);
    }
    if (days.length >= minDays) yield { start, days };
  }
}

export function* completeWeeks(
  calendar: SchoolCalendar,
  from: string,
  asOf: string,
  minDays: number,
): Generator<SchoolWeek> {
  for (const { start, days } of weeksOfDays(calendar, from, asOf, minDays)) {
    yield { start: dateOfDay(start), end: dateOfDay(start + 6), days: days.map(dateOfDay) };
  }
}

/**
 * The number of weeks that `completeWeeks` returns. Only the first week and those with holidays are looked at, since all
 * others are equal.
 */
export function completeWeeksBetween(calendar: SchoolCalendar, from: string, asOf: string, minDays: number): number {
  const [first, begin] = [dayNumber(from), dayNumber(weekStartOf(calendar, from))];
  const count = Math.max(0, Math.ceil((dayNumber(asOf) - 6 - begin) / 7));
  const placeOf = (day: number) => Math.floor((day - begin) / 7);
  const holidays = new Set([...calendar.holidays].map(dayNumber));
  const special = new Set(
    [0, ...[...holidays].map(placeOf)].filter((weekIndex) => weekIndex >= 0 && weekIndex < count),
  );
  const usual = count - special.size;
  let weeks = 7 - new Set(calendar.weekend).size >= minDays ? usual : 0;
  for (const weekIndex of special) {
    let days = 0;
    for (let day = Math.max(begin + weekIndex * 7, first); day < begin + (weekIndex + 1) * 7; day += 1) {
      if (!calendar.weekend.includes(isoWeekdayOfDay(day)) && !holidays.has(day)) days += 1;
    }
    if (days >= minDays) weeks += 1;
  }
  return weeks;
}
