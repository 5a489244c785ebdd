// Finds the first day of the season of a date and of the season before. The catalogue defines seasons by months.
import type { CatalogueDocument } from '#rules/catalogue/index.ts';

export interface SeasonDates {
  /** Local date of the first day of the season. */
  readonly from: string;
  /** Local date of the first day of the season before. */
  readonly beforeFrom: string;
}

type Seasons = CatalogueDocument['seasons'];

/** Throws RangeError for a month without a season. */
export function seasonDates(date: string, seasons: Seasons): SeasonDates {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const from = firstMonth(month, seasons);
  return { from: firstDay(from), beforeFrom: firstDay(firstMonth(from - 1, seasons)) };
}

/** Months are numbered across years, since a season may span two years. */
function firstMonth(month: number, seasons: Seasons): number {
  const season = seasonIn(month, seasons);
  let first = month;
  while (month - first < 11 && seasonIn(first - 1, seasons) === season) first -= 1;
  return first;
}

function seasonIn(month: number, seasons: Seasons): string {
  const found = seasons.find(({ months }) => months.includes((month % 12) + 1));
  if (!found) throw new RangeError(`no season contains the month ${(month % 12) + 1}`);
  return found.code;
}

const firstDay = (month: number): string => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
