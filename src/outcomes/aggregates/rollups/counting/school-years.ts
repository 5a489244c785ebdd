// The instants at which the school year of a school begins and ends, in the school's time zone.
import { type SchoolYear, schoolYearOf, type YearStart } from '#rules/catalogue/index.ts';

export interface YearSpan {
  /** ISO 8601 instants: the first one of the year, and the first one after it. */
  readonly from: string;
  readonly to: string;
}

/** Returns the school year that contains `now`. */
export const schoolYearAt = (now: Date, timeZone: string, start: YearStart): YearSpan =>
  spanOf(schoolYearOf(now.toISOString(), timeZone, start), timeZone, start);

/** `name` is like `2025-2026`. Noon UTC of the first day lies in the school year in every time zone. */
export const schoolYearNamed = (name: string, timeZone: string, start: YearStart): YearSpan =>
  spanOf(schoolYearOf(noonOf(Number(name.slice(0, 4)), start), timeZone, start), timeZone, start);

function spanOf({ name, from }: SchoolYear, timeZone: string, start: YearStart): YearSpan {
  const next = schoolYearOf(noonOf(Number(name.slice(5)), start), timeZone, start);
  return { from, to: next.from };
}

const noonOf = (year: number, { startMonth, startDay }: YearStart): string =>
  new Date(Date.UTC(year, startMonth - 1, startDay, 12)).toISOString();
