// The season before the one in which the demo is created: children were measured in it and it was released afterwards,
// so that readers of counts have data on the first day.

import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import type { Organization } from '#identity/people/index.ts';
import { type EndedSeason, nightlyRelease, rebuildOrganization, seasonBefore } from '#outcomes/aggregates/index.ts';
import { type CatalogueDocument, type SchoolYearDates, schoolYearDates } from '#rules/catalogue/index.ts';
import { type Visit, visitsInSeasonBefore, visitsOf } from './engine/visits.ts';
import { withFixedClock } from './fixed-clock.ts';
import type { DemoStudent } from './history.ts';
import { gradesBelow, openYear, timeZone } from './store-roster.ts';

type Calendar = Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;

export interface HistoryDates {
  /** Local date on which the demo is created. */
  readonly today: string;
  readonly calendar: Calendar;
  readonly before: EndedSeason;
  /** The school year of the season before, and the present one. */
  readonly firstYear: SchoolYearDates;
  readonly year: SchoolYearDates;
}

/** Throws RangeError for a calendar with one season. */
export function historyDates(today: string, calendar: Calendar): HistoryDates {
  const before = seasonBefore(today, calendar);
  if (!before) throw new RangeError('the catalogue has one season only');
  const yearOf = (date: string) => schoolYearDates(date, calendar.schoolYear);
  return { today, calendar, before, firstYear: yearOf(before.lastDay), year: yearOf(today) };
}

export interface SeededStudent {
  /** Name of the child's random streams. */
  readonly name: string;
  readonly classIndex: number;
  readonly studentIndex: number;
  readonly grade: number;
  /** Number of diagnostic parts of the grade. */
  readonly parts: number;
}

/** Visits until the end of the season before, and since then. */
export interface TwoVisits {
  readonly before: readonly Visit[];
  readonly since: readonly Visit[];
}

/**
 * Splits a child's visits by season. When the last weeks reach into the season before in the same class, no additional
 * visits are created.
 */
export function twoVisits(
  { name, classIndex, studentIndex, grade, parts }: SeededStudent,
  dates: HistoryDates,
): TwoVisits {
  const { today, calendar, before } = dates;
  const yearStart = calendar.schoolYear;
  const context = { today, yearStart, classIndex, studentIndex, parts };
  const below = gradesBelow(dates);
  const isIn = ({ startsAt }: Visit) => below === 0 && localDate(startsAt, timeZone) <= before.lastDay;
  const own = visitsOf(name, context);
  const [first] = own;
  if (first && isIn(first)) return { before: own.filter(isIn), since: own.filter((visit) => !isIn(visit)) };
  if (grade - below < 1) return { before: [], since: own };
  const earlier = visitsInSeasonBefore({ lastDay: before.lastDay, yearStart, classIndex, studentIndex });
  return { before: earlier, since: visitsOf(name, { ...context, before: earlier }) };
}

/** Returns the students with their grade and visits in the season before. */
export const studentsBefore = (
  students: readonly (Omit<DemoStudent, 'visits'> & { readonly visits: TwoVisits })[],
  dates: HistoryDates,
): DemoStudent[] =>
  students
    .filter(({ visits }) => visits.before.length > 0)
    .map((student) => ({
      ...student,
      grade: student.grade - gradesBelow(dates),
      visits: student.visits.before,
    }));

/** 02:00 in Riyadh is 23:00 UTC of the day before. */
const nightMs = 23 * hourMs;

/**
 * Publishes the season in the first night after it and, at the end of a school year, creates the classes of the next
 * one.
 */
export async function endSeason(
  services: Services,
  { id: organizationId }: Pick<Organization, 'id'>,
  dates: HistoryDates,
  rulesOf: Date,
): Promise<void> {
  const { before, firstYear, year } = dates;
  const night = new Date(Date.parse(`${before.lastDay}T00:00:00.000Z`) + nightMs);
  const past = withFixedClock(services, night, rulesOf);
  const date = daysAfter(before.lastDay, 1);
  await rebuildOrganization(past, organizationId);
  await nightlyRelease(past, { organizationId, date, since: firstYear.from });
  if (gradesBelow(dates) > 0)
    await openYear((work) => inContext(services.db, { organizationId }, work), { id: organizationId }, year, 0);
}
