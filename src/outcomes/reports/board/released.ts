// What was published of an organization season by season, and of its schools in the newest of them.

import type { Trx } from '#core/platform/db.ts';
import { type Released, releasedCells, releasedSeasons } from '../../aggregates/index.ts';

/** Two school years. */
const mostSeasons = 6;
/** Those may have begun as long ago as that. */
const yearsBefore = 3;

/** Oldest first; empty before the first release. `today`: local date. */
export async function seasonsOf(trx: Trx, organizationId: string, today: string): Promise<readonly Released[]> {
  const last = Number(today.slice(0, 4));
  const released = await releasedSeasons(trx, organizationId, { first: last - yearsBefore, last });
  return released.toSorted((one, other) => (one.releasedAt < other.releasedAt ? -1 : 1)).slice(-mostSeasons);
}

/** By school, in the season of the organization's release: none is held against another one's season. */
export const schoolsIn = (trx: Trx, organizationId: string, schoolIds: readonly string[], released?: Released) =>
  released === undefined
    ? new Map<string, Released>()
    : releasedCells(trx, organizationId, { unit: 'school', ids: schoolIds, season: released });
