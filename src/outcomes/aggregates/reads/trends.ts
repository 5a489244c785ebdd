// The published counts of an organization, one point for each season.
import type { Static } from 'typebox';
import { invalid } from '#core/platform/errors.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Organization } from '#identity/people/index.ts';
import type { CountingCatalogue } from '../catalogue.ts';
import { presentAggregate, tileCell } from '../present.ts';
import type { Released } from '../releases/rows/releases.ts';
import { releasedSeasons } from '../releases/rows/seasons.ts';
import { releasedSeasonDates } from '../releases/season-dates.ts';
import { countedStudents } from './organization.ts';
import { catalogueNow, type ReadContext } from './read-context.ts';
import type { TrendsQuery } from './schemas.ts';

const usualMonths = 24;
const mostMonths = 60;

export async function readTrends(
  ctx: ReadContext,
  { id: organizationId, timeZone }: Organization,
  {
    to = localDate(ctx.now, timeZone),
    from = monthsBefore(to, usualMonths),
    interval = 'season',
  }: Static<typeof TrendsQuery>,
) {
  requireSpan(from, to);
  const [catalogue, releases] = await Promise.all([
    catalogueNow(ctx),
    releasedSeasons(ctx.trx, organizationId, { first: yearOf(from) - 1, last: yearOf(to) }),
  ]);
  const points = releases
    .map((release) => ({ release, began: releasedSeasonDates(release, catalogue.calendar).from }))
    .filter(({ began }) => began >= from && began <= to)
    .toSorted((one, other) => (one.began < other.began ? -1 : 1))
    .map(({ release }) => pointOf(release, catalogue));
  return { orgId: organizationId, interval, from, to, points };
}

function requireSpan(from: string, to: string): void {
  if (from > to) throw invalid('from', 'must not be after to');
  if (from < monthsBefore(to, mostMonths)) throw invalid('from', `must be within ${mostMonths} months before to`);
}

/** Returns the date `months` months earlier, clamped to the end of a shorter month and to year 0. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const earlier = Math.max(year * 12 + month - 1 - months, 0);
  // `Date.UTC` would map a year before 100 to the twentieth century.
  const found = new Date(0);
  found.setUTCFullYear(Math.floor(earlier / 12), (earlier % 12) + 1, 0);
  found.setUTCDate(Math.min(day, found.getUTCDate()));
  return found.toISOString().slice(0, 10);
}

const yearOf = (date: string): number => Number(date.slice(0, 4));

const pointOf = (release: Released, { tiles }: CountingCatalogue) => ({
  ...{ schoolYear: release.schoolYear, season: release.season, releasedAt: release.releasedAt },
  ...{ ruleVersions: { ...release.ruleVersions }, students: countedStudents(release.cells) },
  tiles: tiles.map((tile) => presentAggregate(tile, tileCell(release, tile.tileCode))),
});
