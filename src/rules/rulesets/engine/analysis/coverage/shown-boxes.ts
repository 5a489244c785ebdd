// The facts behind a finding: boxes with one sample each, so that the finding can be tried.
import { type Box, intersection } from '../../boxes.ts';
import { type BoxView, viewOf } from '../box-view.ts';
import type { Break } from '../cell-analysis.ts';
import { common, type Layers } from '../layers.ts';
import { directionsOf } from '../ranks.ts';
import { bitsOf, cellsOfBoxes } from '../sizes.ts';

const shownBoxes = 20;

/** Returns where an unreachable row would hold without the rows above; largest first. */
export function shadowedBoxes(layers: Layers, row: number): readonly BoxView[] {
  const space = cellsOfBoxes(layers.possible);
  return common(layers.holding[row] ?? [], layers.possible)
    .map((box) => viewOf(box, layers.partition, space))
    .sort((left, right) => right.share - left.share)
    .slice(0, shownBoxes);
}

/** Returns two sets of facts that differ in one fact only: the worse value first. */
export function breakBoxes(layers: Layers, { fact, fromRow, toRow }: Break): readonly BoxView[] {
  const { document, partition, deciding, possible } = layers;
  const at = partition.findIndex(({ name }) => name === fact);
  const direction = directionsOf(document)[at] ?? 0;
  for (const from of deciding[fromRow] ?? []) {
    for (const to of deciding[toRow] ?? []) {
      const pair = pairOf(from, to, at, direction);
      if (pair) return pair.map((box) => viewOf(box, partition, cellsOfBoxes(possible)));
    }
  }
  return [];
}

function pairOf(from: Box, to: Box, at: number, direction: number): readonly Box[] | undefined {
  const [own, other] = [bitsOf(from[at] ?? 0n), bitsOf(to[at] ?? 0n)];
  const [worse, better] = direction > 0 ? [own[0], other.at(-1)] : [own.at(-1), other[0]];
  if (worse === undefined || better === undefined || (better - worse) * direction <= 0) return undefined;
  const shared = intersection(from.with(at, 1n), to.with(at, 1n));
  return shared && [shared.with(at, 1n << BigInt(worse)), shared.with(at, 1n << BigInt(better))];
}
