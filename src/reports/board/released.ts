// What was published of an organization season by season, and of its schools in the newest of them.
import { releasedCells } from '../../aggregates/index.ts';
import type { Season } from '../../catalogue/index.ts';
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';

/** Two school years. */
const mostSeasons = 6;

interface Published {
  readonly schoolYear: string;
  readonly season: Season;
}

export type Released = NonNullable<ReturnType<Awaited<ReturnType<typeof releasedCells>>['get']>>;

/** Oldest first; empty before the first release. */
export async function seasonsOf(trx: Trx, organizationId: string): Promise<readonly Released[]> {
  const seasons = await rowsOf<Published>(
    trx,
    `select school_year, season from aggregate_release
     where organization_id = :organizationId and unit = 'organization' and unit_id = :organizationId
     order by released_at desc, ledger_no desc limit :mostSeasons`,
    { organizationId, mostSeasons },
  );
  const found: Released[] = [];
  for (const season of seasons.toReversed()) {
    const released = await releasedCells(trx, organizationId, { unit: 'organization', ids: [organizationId], season });
    found.push(...released.values());
  }
  return found;
}

/** By school, in the season of the organization's release: none is held against another one's season. */
export const schoolsIn = (trx: Trx, organizationId: string, schoolIds: readonly string[], released?: Released) =>
  released === undefined
    ? new Map<string, Released>()
    : releasedCells(trx, organizationId, { unit: 'school', ids: schoolIds, season: released });
