// What was published of an organization, one point a season.
import type { Static } from 'typebox';
import type { Organization } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { invalid } from '../../platform/errors.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { CountingCatalogue } from '../catalogue.ts';
import { presentAggregate, tileCell } from '../present.ts';
import { seasonDates } from '../releases/due.ts';
import type { Released, ReleasedCell } from '../releases/rows/releases.ts';
import { type Asking, catalogueNow } from './asking.ts';
import { countedStudents } from './organization.ts';
import type { TrendsQuery } from './schemas.ts';

const usualMonths = 24;
const mostMonths = 60;

export async function readTrends(
  ctx: Asking,
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
    releasesBetween(ctx.trx, organizationId, from, to),
  ]);
  const points = releases
    .map((release) => ({ release, began: seasonDates(release, catalogue.calendar).from }))
    .filter(({ began }) => began >= from && began <= to)
    .toSorted((one, other) => (one.began < other.began ? -1 : 1))
    .map(({ release }) => pointOf(release, catalogue));
  return { orgId: organizationId, interval, from, to, points };
}

function requireSpan(from: string, to: string): void {
  if (from > to) throw invalid('from', 'must not be after to');
  if (from < monthsBefore(to, mostMonths)) throw invalid('from', `must be within ${mostMonths} months before to`);
}

/** The same day of an earlier month, or the last one where that month is shorter. */
function monthsBefore(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString().slice(0, 10);
}

type Row = Omit<Released, 'cells'> & (ReleasedCell | { readonly space: null });

/** School years that could hold a season of the span; whether one began in it the calendar says. */
async function releasesBetween(trx: Trx, organizationId: string, from: string, to: string): Promise<Released[]> {
  const rows = await rowsOf<Row>(
    trx,
    `select r.school_year, r.season, r.released_at, r.as_of, r.rule_versions, c.space, c.subject, c.students, c.counts,
       c.suppressed
     from aggregate_release r
     left join aggregate_cell c on c.organization_id = r.organization_id and c.unit = 'organization'
       and c.unit_id = r.unit_id and c.space in ('tile', 'sufficiency')
       and c.school_year = r.school_year and c.season = r.season
     where r.organization_id = :organizationId and r.unit = 'organization' and r.unit_id = :organizationId
       and left(r.school_year, 4)::integer between :first and :last
     order by r.school_year, r.season, c.space, c.subject`,
    { organizationId, first: Number(from.slice(0, 4)) - 1, last: Number(to.slice(0, 4)) },
  );
  const byId = new Map<string, Row[]>();
  for (const row of rows) {
    const id = `${row.schoolYear} ${row.season}`;
    byId.set(id, [...(byId.get(id) ?? []), row]);
  }
  return [...byId.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { schoolYear, season, releasedAt, asOf, ruleVersions } = first;
    const cells = own.flatMap((row) => (row.space === null ? [] : row));
    return { schoolYear, season, releasedAt, asOf, ruleVersions, cells };
  });
}

const pointOf = (release: Released, { tiles }: CountingCatalogue) => ({
  ...{ schoolYear: release.schoolYear, season: release.season, releasedAt: release.releasedAt },
  ...{ ruleVersions: { ...release.ruleVersions }, students: countedStudents(release.cells) },
  tiles: tiles.map((tile) => presentAggregate(tile, tileCell(release, tile.tileCode))),
});
