// The single writer of releases: a release, its cells and the underlying counts are written in one transaction.
import { createId } from '@paralleldrive/cuid2';
import type { Trx } from '#core/platform/db.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { ReleasedUnit, Statistic, Unit } from '../../enums.ts';
import type { ReleasedCell, ReleasedSeason } from './releases.ts';

export interface NewRelease extends ReleasedSeason {
  readonly organizationId: string;
  readonly unit: ReleasedUnit;
  readonly unitId: string;
  readonly releasedAt: Date;
  readonly asOf: Date | string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export interface NewCell extends Omit<ReleasedCell, 'suppressed'> {
  readonly unit: Unit;
  readonly unitId: string;
}

export interface ClassCount {
  readonly classId: number;
  readonly space: Statistic;
  readonly subject: string;
  readonly counts: Readonly<Record<string, number>>;
  /** Number of students who are publicly known not to have been measured in the season. */
  readonly unmeasured: number;
}

/** Throws a unique violation (23505) when the unit has a release for the season. */
export async function appendRelease(
  trx: Trx,
  release: NewRelease,
  { cells, counts }: { readonly cells: readonly NewCell[]; readonly counts: readonly ClassCount[] },
): Promise<void> {
  const { organizationId, schoolYear, season } = release;
  const id = createId();
  await insertRows(trx, 'aggregate_release', [{ id, ...release }]);
  const ofRelease = { organizationId, schoolYear, season, releaseId: id };
  const shown = cells.map((cell) => ({ ...ofRelease, ...cell, suppressed: Object.values(cell.counts).includes(null) }));
  await insertRows(trx, 'aggregate_cell', shown);
  await insertRows(
    trx,
    'aggregate_count',
    counts.map((count) => ({ ...ofRelease, ...count })),
  );
}

/** Returns the units of a season that are released already. */
export async function releasedIn(
  trx: Trx,
  organizationId: string,
  { schoolYear, season }: ReleasedSeason,
): Promise<readonly { readonly unit: ReleasedUnit; readonly unitId: string }[]> {
  return rowsOf(
    trx,
    `select unit, unit_id from aggregate_release
     where organization_id = :organizationId and school_year = :schoolYear and season = :season`,
    { organizationId, schoolYear, season },
  );
}
