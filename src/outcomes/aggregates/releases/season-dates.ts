// Finds the season of a date, its first and last day, and the season that ended before it.

import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { type CatalogueDocument, schoolYearDates } from '#rules/catalogue/index.ts';
import type { ReleasedSeason } from './rows/releases.ts';

type Calendar = Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;

export interface EndedSeason extends ReleasedSeason {
  /** Local date of the last day. */
  readonly lastDay: string;
}

/** Returns undefined for a date in a month without a season. */
export function seasonOn(date: string, { schoolYear, seasons }: Calendar): ReleasedSeason | undefined {
  const month = Number(date.slice(5, 7));
  const found = seasons.find(({ months }) => months.includes(month));
  return found && { schoolYear: schoolYearDates(date, schoolYear).name, season: found.code };
}

/** Returns the local dates of the first and the last day of a season. Seasons are whole, consecutive months. */
export function releasedSeasonDates(
  { schoolYear, season }: ReleasedSeason,
  { schoolYear: { startMonth }, seasons }: Calendar,
): { readonly from: string; readonly to: string } {
  const { months = [] } = seasons.find(({ code }) => code === season) ?? {};
  const yearOf = (month: number) => Number(schoolYear.slice(0, 4)) + (month < startMonth ? 1 : 0);
  const [first, last] = [months[0] ?? startMonth, months.at(-1) ?? startMonth];
  const from = new Date(Date.UTC(yearOf(first), first - 1, 1));
  const to = new Date(Date.UTC(yearOf(last), last, 0));
  return { from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10) };
}

/** Returns undefined when the calendar has no other season. */
export function seasonBefore(date: string, calendar: Calendar): EndedSeason | undefined {
  const present = seasonOn(date, calendar);
  let lastDay = date;
  for (let month = 0; month < 12; month++) {
    lastDay = daysBefore(`${lastDay.slice(0, 8)}01`, 1);
    const season = seasonOn(lastDay, calendar);
    if (season && season.season !== present?.season) return { ...season, lastDay };
  }
  return undefined;
}
