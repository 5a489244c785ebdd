// Rows that are numbered, some at a time: by both ends of their positions, so that each part reads its own rows alone. One
// that only begins behind the part before is read in order or as a whole and sorted, as the planner guesses.
import type { Trx } from '#core/platform/db.ts';
import { type Bindings, rowsOf } from '#core/platform/sql.ts';

/** So few that what a part needs is given back before the next ones need it. */
export const rowsOfPart = 250;

export interface Part {
  readonly after: number;
  readonly upTo: number;
}

/** `numbered`: what stands behind `from`. Every position is in one part; a part may have no row. */
export async function* positionRanges(
  trx: Trx,
  numbered: string,
  bindings: Bindings,
  size = rowsOfPart,
): AsyncIterable<Part> {
  const [ends] = await rowsOf<{ first: number | null; last: number | null }>(
    trx,
    `select min(position) as first, max(position) as last from ${numbered}`,
    bindings,
  );
  const [before, last] = [(ends?.first ?? 0) - 1, ends?.last ?? -1];
  for (let after = before; after < last; after += size) yield { after, upTo: after + size };
}
