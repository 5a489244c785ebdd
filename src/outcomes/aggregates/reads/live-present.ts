// Presents current counts, which are exact and unsuppressed.
import type { NamedTile } from '../present.ts';
import { type AggregateBand, aggregateBands } from '../rules/bands.ts';
import { type ClassNow, sumOf } from './live-counts.ts';

export function liveCell(tileCode: string, classes: readonly ClassNow[]) {
  const numberAt = (index: number) => sumOf(classes, ({ tiles }) => tiles[tileCode]?.[index] ?? 0);
  const counts = Object.fromEntries(aggregateBands.map((band, at) => [band, numberAt(at + 1)])) as Record<
    AggregateBand,
    number
  >;
  return { tileCode, students: numberAt(0), counts, suppressed: false };
}

export const liveTile = ({ tileCode, nameAr }: NamedTile, classes: readonly ClassNow[]) => ({
  nameAr,
  ...liveCell(tileCode, classes),
});
