// Reads the published seasons of an organization, and its schools in the newest of them.

import type { Trx } from '#core/platform/db.ts';
import { type Released, releasedCells, releasedSeasons } from '../../aggregates/index.ts';

/** Two school years of three seasons. */
const mostSeasons = 6;
/** Maximum age in years of these seasons. */
const yearsBefore = 3;

/** Returns the released seasons, oldest first; empty before the first release. `today` is a local date. */
export async function seasonsOf(trx: Trx, organizationId: string, today: string): Promise<readonly Released[]> {
  const last = Number(today.slice(0, 4));
  const released = await releasedSeasons(trx, organizationId, { first: last - yearsBefore, last });
  return released.toSorted((one, other) => (one.releasedAt < other.releasedAt ? -1 : 1)).slice(-mostSeasons);
}

/** Keyed by school, in the season of the organization's release, so that schools are compared in one season. */
export const schoolsIn = (trx: Trx, organizationId: string, schoolIds: readonly string[], released?: Released) =>
  released === undefined
    ? new Map<string, Released>()
    : releasedCells(trx, organizationId, { unit: 'school', ids: schoolIds, season: released });
