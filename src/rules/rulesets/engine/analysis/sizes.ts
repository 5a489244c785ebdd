// Counts the cells of boxes: the share of a space is told in cells, so that it does not depend on how wide a number's
// domain was declared.
import type { Box } from '../boxes.ts';

/** Cells of a union of disjoint boxes. */
export const cellsOfBoxes = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + cellsOfBox(box), 0);

const cellsOfBox = (box: Box): number => box.reduce((product, cells) => product * bitsOf(cells).length, 1);

/** The numbers of the set bits, ascending. */
export function bitsOf(cells: bigint): number[] {
  const bits: number[] = [];
  for (let rest = cells, bit = 0; rest !== 0n; rest >>= 1n, bit += 1) {
    if (rest & 1n) bits.push(bit);
  }
  return bits;
}
