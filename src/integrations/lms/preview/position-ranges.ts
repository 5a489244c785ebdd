// Splits numbered rows into ranges of positions, so that each statement reads only its own rows. A statement with a lower
// bound only would be planned as a read of all rows in order, or as a scan and sort.
import type { Trx } from '#core/platform/db.ts';
import { type Bindings, rowsOf } from '#core/platform/sql.ts';

/** Few enough that the memory of a range is released before the next ranges need theirs. */
export const rowsOfPart = 250;

export interface PositionRange {
  readonly after: number;
  readonly upTo: number;
}

/** `numbered`: the SQL after `from`. Every position is in exactly one range; a range may have no row. */
export async function* positionRanges(
  trx: Trx,
  numbered: string,
  bindings: Bindings,
  size = rowsOfPart,
): AsyncIterable<PositionRange> {
  const [ends] = await rowsOf<{ first: number | null; last: number | null }>(
    trx,
    `select min(position) as first, max(position) as last from ${numbered}`,
    bindings,
  );
  const [before, last] = [(ends?.first ?? 0) - 1, ends?.last ?? -1];
  for (let after = before; after < last; after += size) yield { after, upTo: after + size };
}
