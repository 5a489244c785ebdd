// Presents released cells of tiles.
import type { Released, ReleasedCell } from './releases/rows/releases.ts';
import { type AggregateBand, aggregateBands } from './rules/bands.ts';
import type { AggregateView } from './schemas.ts';

export interface NamedTile {
  readonly tileCode: string;
  readonly nameAr: string;
}

/** Without a cell every count is null. */
export function presentAggregate({ tileCode, nameAr }: NamedTile, cell: ReleasedCell | undefined): AggregateView {
  const counts = Object.fromEntries(aggregateBands.map((band) => [band, cell?.counts[band] ?? null])) as Record<
    AggregateBand,
    number | null
  >;
  return { tileCode, nameAr, students: cell?.students ?? 0, counts, suppressed: cell?.suppressed ?? true };
}

/** Returns the cell of a tile among the cells of a unit. */
export const tileCell = (
  released: { readonly cells: readonly ReleasedCell[] } | undefined,
  tileCode: string,
): ReleasedCell | undefined => released?.cells.find(({ space, subject }) => space === 'tile' && subject === tileCode);

/** Returns the head of a response that contains released counts. */
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
