// Boxes packed into 32-bit words, for the comparison of every pair.
import type { Box } from '../../boxes.ts';
import type { FactPartition } from '../../partition.ts';
import { bitsOf } from '../sizes.ts';

export interface PackedBoxes {
  readonly count: number;
  readonly facts: number;
  /** The cells of fact f are in the words from `starts[f]` to before `starts[f + 1]`. */
  readonly starts: Int32Array;
  readonly words: Int32Array;
  /** Lowest and highest cell of box b and fact f, at index `b * facts + f`. */
  readonly lowest: Int32Array;
  readonly highest: Int32Array;
}

const wordBits = 32;

export function pack(boxes: readonly Box[], partition: readonly FactPartition[]): PackedBoxes {
  const starts = startsOf(partition);
  const width = starts.at(-1) ?? 0;
  const facts = partition.length;
  const words = new Int32Array(boxes.length * width);
  const lowest = new Int32Array(boxes.length * facts);
  const highest = new Int32Array(boxes.length * facts);
  for (const [number, box] of boxes.entries()) {
    for (const [fact, cells] of box.entries()) {
      const bits = bitsOf(cells);
      lowest[number * facts + fact] = bits[0] ?? 0;
      highest[number * facts + fact] = bits.at(-1) ?? 0;
      for (const bit of bits) {
        const at = number * width + (starts[fact] ?? 0) + Math.floor(bit / wordBits);
        words[at] = (words[at] ?? 0) | (1 << (bit % wordBits));
      }
    }
  }
  return { count: boxes.length, facts, starts, words, lowest, highest };
}

/** Returns for each run of `chunk` boxes their bounding box: a box disjoint from it is disjoint from all of them. */
export function hullsOf(boxes: readonly Box[], chunk: number): readonly Box[] {
  return Array.from({ length: Math.ceil(boxes.length / chunk) }, (_, at) =>
    boxes
      .slice(at * chunk, (at + 1) * chunk)
      .reduce((hull, box) => hull.map((cells, fact) => cells | (box[fact] ?? 0n))),
  );
}

function startsOf(partition: readonly FactPartition[]): Int32Array {
  const starts = new Int32Array(partition.length + 1);
  for (const [fact, { cells }] of partition.entries()) {
    starts[fact + 1] = (starts[fact] ?? 0) + Math.ceil(cells.length / wordBits);
  }
  return starts;
}

/** Results for boxes that are disjoint in no fact, and in several facts. */
const noFact = -1;
export const severalFacts = -2;

/** Returns the only fact in which the two boxes are disjoint; else `noFact` or `severalFacts`. */
export function partingFact(left: PackedBoxes, leftBox: number, right: PackedBoxes, rightBox: number): number {
  const { starts, facts, words } = left;
  const width = starts[facts] ?? 0;
  const leftAt = leftBox * width;
  const rightAt = rightBox * width;
  let parting = noFact;
  let word = 0;
  for (let fact = 0; fact < facts; fact += 1) {
    const end = starts[fact + 1] ?? 0;
    let shared = 0;
    for (; word < end; word += 1) shared |= (words[leftAt + word] ?? 0) & (right.words[rightAt + word] ?? 0);
    if (shared !== 0) continue;
    if (parting !== noFact) return severalFacts;
    parting = fact;
  }
  return parting;
}
