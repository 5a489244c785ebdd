// What leaves the service of a released cell of a tile.
import type { Released, ReleasedCell } from './releases/rows/releases.ts';
import { type AggregateBand, aggregateBands } from './rules/bands.ts';
import type { AggregateView } from './schemas.ts';

export interface NamedTile {
  readonly tileCode: string;
  readonly nameAr: string;
}

/** Without a cell nothing is said: every count is null. */
export function presentAggregate({ tileCode, nameAr }: NamedTile, cell: ReleasedCell | undefined): AggregateView {
  const counts = Object.fromEntries(aggregateBands.map((band) => [band, cell?.counts[band] ?? null])) as Record<
    AggregateBand,
    number | null
  >;
  return { tileCode, nameAr, students: cell?.students ?? 0, counts, suppressed: cell?.suppressed ?? true };
}

/** The cell of a tile among those of a unit. */
export const tileCell = (
  released: { readonly cells: readonly ReleasedCell[] } | undefined,
  tileCode: string,
): ReleasedCell | undefined => released?.cells.find(({ space, subject }) => space === 'tile' && subject === tileCode);

/** Head of an answer that says what was published. */
export const releasedHead = (released: Omit<Released, 'cells'> | undefined) => ({
  basis: 'released' as const,
  release: released
    ? {
        ...{ schoolYear: released.schoolYear, season: released.season },
        releasedAt: released.releasedAt,
      }
    : null,
  asOf: released?.asOf ?? null,
  ruleVersions: { ...released?.ruleVersions },
});
