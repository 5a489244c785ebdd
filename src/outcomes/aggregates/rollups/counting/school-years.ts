// When the school year of a school begins and ends, by its own clocks.
import { type SchoolYear, schoolYearOf, type YearStart } from '#rules/catalogue/index.ts';

export interface YearSpan {
  /** ISO 8601 instants: the first of it, and the first after it. */
  readonly from: string;
  readonly to: string;
}

/** The school year of a moment. */
export const spanAt = (now: Date, timeZone: string, start: YearStart): YearSpan =>
  spanOf(schoolYearOf(now.toISOString(), timeZone, start), timeZone, start);

/** `name`: `2025-2026`. Noon of its first day is in it, wherever a school lies. */
export const spanNamed = (name: string, timeZone: string, start: YearStart): YearSpan =>
  spanOf(schoolYearOf(noonOf(Number(name.slice(0, 4)), start), timeZone, start), timeZone, start);

function spanOf({ name, from }: SchoolYear, timeZone: string, start: YearStart): YearSpan {
  const next = schoolYearOf(noonOf(Number(name.slice(5)), start), timeZone, start);
  return { from, to: next.from };
}

const noonOf = (year: number, { startMonth, startDay }: YearStart): string =>
  new Date(Date.UTC(year, startMonth - 1, startDay, 12)).toISOString();
