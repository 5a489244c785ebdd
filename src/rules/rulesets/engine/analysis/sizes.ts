// Counts the cells of boxes. Shares are measured in cells, so that they do not depend on the declared width of a
// number's domain.
import type { Box } from '../boxes.ts';

/** Returns the number of cells in a union of disjoint boxes. */
export const cellsOfBoxes = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + cellsOfBox(box), 0);

const cellsOfBox = (box: Box): number => box.reduce((product, cells) => product * bitsOf(cells).length, 1);

/** Returns the indexes of the set bits, ascending. */
export function bitsOf(cells: bigint): number[] {
  const bits: number[] = [];
  for (let rest = cells, bit = 0; rest !== 0n; rest >>= 1n, bit += 1) {
    if (rest & 1n) bits.push(bit);
  }
  return bits;
}
