// Monotonicity by boxes: two boxes that part in one fact only hold two children who differ in that fact only.
import type { Box } from '../boxes.ts';
import { type Break, inOrder } from './examination.ts';
import type { Layers } from './layers.ts';
import { type PackedBoxes, pack, partingFact } from './packed.ts';
import { directionsOf, ranksOf } from './ranks.ts';

/** Every pair of rows between which a better value of one fact alone earns a worse outcome. */
export function breaksByBoxes({ document, partition, deciding }: Layers): readonly Break[] {
  const directions = directionsOf(document);
  if (document.meta.hitPolicy !== 'first' || directions.every((direction) => direction === 0)) return [];
  const ranks = ranksOf(document);
  const packed = deciding.map((boxes: readonly Box[]) => pack(boxes, partition));
  const names = partition.map(({ name }) => name);
  const breaks = ranks.flatMap((fromRank, fromRow) =>
    ranks.flatMap((toRank, toRow) => {
      const [from, to] = [packed[fromRow], packed[toRow]];
      if (!from || !to || toRank < 0 || toRank >= fromRank) return [];
      return brokenFacts(from, to, directions).map((fact) => ({ fact: names[fact] ?? '', fromRow, toRow }));
    }),
  );
  return inOrder(breaks, names);
}

/** Facts of which a better value alone leads from a box of `from` into a box of `to`. */
function brokenFacts(from: PackedBoxes, to: PackedBoxes, directions: readonly number[]): readonly number[] {
  const broken = new Set<number>();
  const directed = directions.filter((direction) => direction !== 0).length;
  for (let left = 0; left < from.count && broken.size < directed; left += 1) {
    for (let right = 0; right < to.count; right += 1) {
      const fact = partingFact(from, left, to, right);
      if (fact >= 0 && !broken.has(fact) && leadsInto(from, left, to, right, fact, directions[fact] ?? 0))
        broken.add(fact);
    }
  }
  return [...broken];
}

function leadsInto(
  from: PackedBoxes,
  left: number,
  to: PackedBoxes,
  right: number,
  fact: number,
  direction: number,
): boolean {
  const fromAt = left * from.facts + fact;
  const toAt = right * to.facts + fact;
  if (direction > 0) return (from.lowest[fromAt] ?? 0) < (to.highest[toAt] ?? 0);
  return direction < 0 && (from.highest[fromAt] ?? 0) > (to.lowest[toAt] ?? 0);
}
