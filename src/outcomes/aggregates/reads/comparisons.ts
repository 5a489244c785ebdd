// Schools of an organization side by side, in alphabetical order and never by value. All of them come from the newest
// release of the organization, so that no school is compared with another school's season.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Organization } from '#identity/people/index.ts';
import { type Season, seasons } from '../enums.ts';
import { releasedHead } from '../present.ts';
import type { ReleasedCell } from '../releases/rows/releases.ts';
import type { AggregateBand } from '../rules/bands.ts';
import { catalogueNow, measuredBySeason, presentDay, type ReadContext, seasonNow, shareOf } from './read-context.ts';
import { newestRelease } from './released.ts';
import type { ComparisonsQuery, Metric } from './schemas.ts';

type Query = Static<typeof ComparisonsQuery>;

interface Compared {
  readonly schoolId: string;
  readonly name: string;
  readonly students: number;
  readonly value: number | null;
  readonly suppressed: boolean;
}

export async function readComparisons(ctx: ReadContext, organization: Organization, { metric, tileCode }: Query) {
  const { id: organizationId, timeZone } = organization;
  requireTile(metric, tileCode);
  const question = { organizationId, unit: 'organization', unitId: organizationId, statistics: [] } as const;
  const [catalogue, release, itemsIn] = await Promise.all([
    catalogueNow(ctx),
    newestRelease(ctx.trx, { ...question, cellsOf: 'organization' }),
    tileCode === undefined
      ? measuredSchools(ctx.trx, organizationId)
      : releasedSchools(ctx.trx, organizationId, tileCode, bandsOf[metric]),
  ]);
  if (tileCode !== undefined && !catalogue.tiles.some((tile) => tile.tileCode === tileCode)) throw unknownTile();
  return {
    ...{ orgId: organizationId, metric, tileCode: tileCode ?? null, ...releasedHead(release) },
    items: itemsIn(seasonNow(timeZone, catalogue, ctx.now)).toSorted(inOrder),
  };
}

const unknownTile = () => invalid('tileCode', 'is no tile');

/** `measured_share` is not counted by tile; the other metrics are. */
function requireTile(metric: Metric, tileCode: string | undefined): void {
  if (metric === 'measured_share' && tileCode !== undefined)
    throw invalid('tileCode', 'does not go with measured_share');
  if (metric !== 'measured_share' && tileCode === undefined) throw invalid('tileCode', `is required for ${metric}`);
}

/** The bands whose sum is the share. */
const bandsOf: Readonly<Record<Metric, readonly AggregateBand[]>> = {
  meets_share: ['Meets'],
  support_share: ['Below', 'Severe'],
  measured_share: [],
};

const byName = new Intl.Collator('ar').compare;
const inOrder = (one: Compared, other: Compared): number =>
  byName(one.name, other.name) || (one.schoolId < other.schoolId ? -1 : 1);

interface School {
  readonly schoolId: string;
  readonly name: string;
}

type ReleasedSchool = School & (Pick<ReleasedCell, 'students' | 'counts'> | { readonly students: null });

/** All rows are read at once; the season is known only once the response is built. */
type ItemsIn = (season: Season) => readonly Compared[];

async function releasedSchools(
  trx: Trx,
  organizationId: string,
  tileCode: string,
  bands: readonly AggregateBand[],
): Promise<ItemsIn> {
  const rows = await rowsOf<ReleasedSchool>(
    trx,
    `with newest as materialized (select r.school_year, r.season from aggregate_release r
       where r.organization_id = :organizationId and r.unit = 'organization' and r.unit_id = :organizationId
       order by r.released_at desc, r.ledger_no desc limit 1)
     select s.id as school_id, s.name, c.students, c.counts
     from school s
     left join aggregate_cell c on c.organization_id = s.organization_id and c.unit = 'school' and c.unit_id = s.id
       and c.space = 'tile' and c.subject = :tileCode
       and c.school_year = (select n.school_year from newest n) and c.season = (select n.season from newest n)
     where s.organization_id = :organizationId`,
    { organizationId, tileCode },
  );
  return () => rows.map((row) => compared(row, bands));
}

function compared(row: ReleasedSchool, bands: readonly AggregateBand[]): Compared {
  const { schoolId, name } = row;
  if (row.students === null) return { schoolId, name, students: 0, value: null, suppressed: true };
  const counts = bands.map((band) => row.counts[band] ?? null);
  const shown = counts.filter((count) => count !== null);
  const suppressed = shown.length < counts.length;
  const value = suppressed
    ? null
    : shareOf(
        shown.reduce((sum, count) => sum + count, 0),
        row.students,
      );
  return { schoolId, name, students: row.students, value, suppressed };
}

async function measuredSchools(trx: Trx, organizationId: string): Promise<ItemsIn> {
  const rows = await rowsOf<School & { readonly students: number; readonly measured: readonly number[] | null }>(
    trx,
    `select s.id as school_id, s.name, coalesce(d.students, 0) as students, d.measured
     from school s
     left join (
       select d.school_id, sum(d.students)::bigint as students, ${measuredBySeason} as measured
       from org_daily_class d
       where d.organization_id = :organizationId and d.day = ${presentDay}
       group by d.school_id) d on d.school_id = s.id
     where s.organization_id = :organizationId`,
    { organizationId },
  );
  return (season) =>
    rows.map(({ schoolId, name, students, measured }) => {
      const value = shareOf(measured?.[seasons.indexOf(season)] ?? 0, students);
      return { schoolId, name, students, value, suppressed: false };
    });
}
