// School years as dates. Each starts on the same day of the year.
import { dayMs } from '#core/platform/pure/dates/durations.ts';

/** The day of the year on which every school year starts, from the catalogue in force. */
export interface YearStart {
  /** 1 to 12. */
  readonly startMonth: number;
  readonly startDay: number;
}

export interface SchoolYearDates {
  /** `2025-2026`. */
  readonly name: string;
  /** The first day, `YYYY-MM-DD`. */
  readonly from: string;
}

/** The school year that holds a date. */
export function schoolYearDates(date: string, { startMonth, startDay }: YearStart): SchoolYearDates {
  const start = `${twoDigits(startMonth)}-${twoDigits(startDay)}`;
  const year = Number(date.slice(0, 4));
  const first = date.slice(5) >= start ? year : year - 1;
  return { name: `${first}-${first + 1}`, from: `${first}-${start}` };
}

/** The last day of a school year: the next one starts on the day after it. */
export function lastDayOf({ from }: SchoolYearDates): string {
  const [year = 0, month = 1, day = 1] = from.split('-').map(Number);
  return new Date(Date.UTC(year + 1, month - 1, day) - dayMs).toISOString().slice(0, 10);
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
