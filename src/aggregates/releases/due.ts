// Which season a date lies in, and which one was over before it.
import { type CatalogueDocument, schoolYearDates } from '../../catalogue/index.ts';
import { daysBefore } from '../../platform/pure/dates/days.ts';
import type { ReleasedSeason } from './rows/releases.ts';

type Calendar = Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;

export interface EndedSeason extends ReleasedSeason {
  /** Local date. */
  readonly lastDay: string;
}

/** Undefined: in the month of that date there is no season. */
export function seasonOn(date: string, { schoolYear, seasons }: Calendar): ReleasedSeason | undefined {
  const month = Number(date.slice(5, 7));
  const found = seasons.find(({ months }) => months.includes(month));
  return found && { schoolYear: schoolYearDates(date, schoolYear).name, season: found.code };
}

/** Seasons are made of whole months. */
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
