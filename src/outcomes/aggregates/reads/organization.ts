// The published counts of an organization, with the current number of students measured in the running season.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Organization } from '#identity/people/index.ts';
import { seasons } from '../enums.ts';
import { presentAggregate, releasedHead, tileCell } from '../present.ts';
import type { ReleasedCell } from '../releases/rows/releases.ts';
import { releasedQuadrants } from './quadrants.ts';
import { catalogueNow, measuredBySeason, presentDay, type ReadContext, seasonNow, shareOf } from './read-context.ts';
import { newestRelease } from './released.ts';
import type { OverviewQuery } from './schemas.ts';

export async function readOrganization(
  ctx: ReadContext,
  { id: organizationId, timeZone }: Organization,
  { squares }: Static<typeof OverviewQuery>,
) {
  const of = { organizationId, unit: 'organization', unitId: organizationId } as const;
  const statistics = ['tile', 'sufficiency', ...(squares ? (['square'] as const) : [])] as const;
  const [catalogue, sums, release] = await Promise.all([
    catalogueNow(ctx),
    sumsNow(ctx.trx, organizationId),
    newestRelease(ctx.trx, { ...of, cellsOf: 'organization', statistics }),
  ]);
  const season = seasonNow(timeZone, catalogue, ctx.now);
  const measured = sums.measured[seasons.indexOf(season)] ?? 0;
  return {
    ...{ orgId: organizationId, ...releasedHead(release), schools: sums.schools, classes: sums.classes },
    students: countedStudents(release?.cells ?? []),
    coverage: { season, measured, share: shareOf(measured, sums.students) },
    tiles: catalogue.tiles.map((tile) => presentAggregate(tile, tileCell(release, tile.tileCode))),
    ...(squares && { squares: releasedQuadrants(release) }),
  };
}

/**
 * Returns the largest number of students of a cell: some tiles have no sub-skills in some grades, and every student is
 * counted in another tile.
 */
export const countedStudents = (cells: readonly Pick<ReleasedCell, 'students'>[]): number =>
  Math.max(0, ...cells.map(({ students }) => students));

interface Sums {
  readonly schools: number;
  readonly classes: number;
  readonly students: number;
  /** In the order of `seasons`. */
  readonly measured: readonly number[];
}

async function sumsNow(trx: Trx, organizationId: string): Promise<Sums> {
  const [sums] = await rowsOf<Sums>(
    trx,
    `select (select count(*) from school s where s.organization_id = :organizationId) as schools,
       (select count(*) from class c where c.organization_id = :organizationId and c.archived_at is null) as classes,
       coalesce(sum(d.students), 0)::bigint as students, ${measuredBySeason} as measured
     from org_daily_class d
     where d.organization_id = :organizationId and d.day = ${presentDay}`,
    { organizationId },
  );
  if (!sums) throw new RangeError('sums of nothing are numbers too');
  return sums;
}
