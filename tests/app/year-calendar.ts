// The calendar of the school, counted apart from the service: Friday and Saturday are the weekend.
import { daysAfter } from '#core/platform/pure/dates/days.ts';

export const sunday = 0;
const [friday, saturday] = [5, 6];

export interface Calendar {
  isSchoolDay(date: string): boolean;
  /** The n-th school day after a date, or before it where n is negative. */
  schoolDay(from: string, n: number): string;
  /** Complete weeks from a date on with at least three school days, Sunday to Saturday, that end before another date. */
  weeks(from: string, until: string): number;
}

/** The dates from one to another, both included. */
export function datesFrom(first: string, last: string): string[] {
  const dates: string[] = [];
  for (let date = first; date <= last; date = daysAfter(date, 1)) dates.push(date);
  return dates;
}

export const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

export function calendarOf(holidays: readonly string[]): Calendar {
  const off = new Set(holidays);
  const isSchoolDay = (date: string) => ![friday, saturday].includes(weekday(date)) && !off.has(date);
  return {
    isSchoolDay,
    schoolDay(from, n) {
      const step = Math.sign(n);
      let date = from;
      for (let left = Math.abs(n); left > 0; ) {
        date = daysAfter(date, step);
        if (isSchoolDay(date)) left -= 1;
      }
      return date;
    },
    weeks(from, until) {
      let complete = 0;
      for (let first = daysAfter(from, -weekday(from)); daysAfter(first, 6) < until; first = daysAfter(first, 7)) {
        const taught = datesFrom(first, daysAfter(first, 6)).filter((date) => date >= from && isSchoolDay(date));
        if (taught.length >= 3) complete += 1;
      }
      return complete;
    },
  };
}
