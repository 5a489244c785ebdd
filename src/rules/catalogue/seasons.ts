// The school year and the season of a day, from the catalogue in force. Every stored school year and every query by
// school year uses these functions.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { ActiveRules } from '../rulesets/index.ts';
import type { CatalogueDocument, Season } from './engine/catalogue.ts';
import { type SchoolYearDates, schoolYearDates } from './engine/year-dates.ts';

export interface SeasonWindow {
  readonly schoolYear: string;
  readonly season: Season;
}

type Calendar = Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;

export function windowAt(
  { timeZone }: { readonly timeZone: string },
  { catalogue }: { readonly catalogue: Calendar },
  now: Date,
): SeasonWindow {
  const date = localDate(now, timeZone);
  const month = Number(date.slice(5, 7));
  const season = catalogue.seasons.find(({ months }) => months.includes(month));
  if (!season) throw unavailable('The catalogue in force knows no season of this month.');
  return { schoolYear: schoolYearDates(date, catalogue.schoolYear).name, season: season.code };
}

/**
 * Returns the school year of a day by the catalogue that was in force then, so that a change of the calendar does not
 * move past days. For a day before the first catalogue the present one is used.
 */
export async function yearOfDay(
  { rules }: { readonly rules: ActiveRules },
  trx: Trx,
  date: string,
  now: Date,
): Promise<SchoolYearDates> {
  const endOfDay = new Date(`${date}T23:59:59.999Z`);
  const inForce =
    endOfDay < now ? await rules.at(trx, endOfDay).catch(() => rules.at(trx, now)) : await rules.at(trx, now);
  return schoolYearDates(date, inForce.rules.values<CatalogueDocument>('catalogue/subskills').schoolYear);
}
