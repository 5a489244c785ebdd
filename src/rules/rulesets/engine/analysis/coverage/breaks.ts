// Monotonicity by boxes: two boxes that are disjoint in exactly one fact contain two children who differ in that fact
// only.
import { type Break, breaksInOrder } from '../cell-analysis.ts';
import type { Layers } from '../layers.ts';
import { directionsOf, ranksOf } from '../ranks.ts';
import { hullsOf, type PackedBoxes, pack, partingFact, severalFacts } from './packed.ts';

/** Neighbouring regions are close to each other, so most can be skipped a chunk at a time. */
const chunk = 16;

interface Region {
  readonly boxes: PackedBoxes;
  readonly hulls: PackedBoxes;
}

/** Returns every pair of rows between which a better value of one fact alone gives a worse outcome. */
export function breaksByBoxes({ document, partition, deciding }: Layers): readonly Break[] {
  const directions = directionsOf(document);
  if (document.meta.hitPolicy !== 'first' || directions.every((direction) => direction === 0)) return [];
  const ranks = ranksOf(document);
  const regions = deciding.map((boxes): Region => {
    return { boxes: pack(boxes, partition), hulls: pack(hullsOf(boxes, chunk), partition) };
  });
  const names = partition.map(({ name }) => name);
  const breaks = ranks.flatMap((fromRank, fromRow) =>
    ranks.flatMap((toRank, toRow) => {
      const [from, to] = [regions[fromRow], regions[toRow]];
      if (!from || !to || toRank < 0 || toRank >= fromRank) return [];
      return brokenFacts(from.boxes, to, directions).map((fact) => ({ fact: names[fact] ?? '', fromRow, toRow }));
    }),
  );
  return breaksInOrder(breaks, names);
}

/** Returns the facts of which a better value alone leads from a box of `from` into a box of `to`. */
function brokenFacts(from: PackedBoxes, to: Region, directions: readonly number[]): readonly number[] {
  const broken = new Set<number>();
  for (let left = 0; left < from.count; left += 1) {
    for (let hull = 0; hull < to.hulls.count; hull += 1) {
      if (partingFact(from, left, to.hulls, hull) === severalFacts) continue;
      const end = Math.min(to.boxes.count, (hull + 1) * chunk);
      for (let right = hull * chunk; right < end; right += 1) {
        const fact = partingFact(from, left, to.boxes, right);
        if (fact >= 0 && leadsInto(from, left, to.boxes, right, fact, directions[fact] ?? 0)) broken.add(fact);
      }
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
