// The region that each rule decides: its boxes without those of the rows above and the impossible ones.
import { type Box, boxesOf, disjoint, fullBox, subtractAll } from '../boxes.ts';
import type { Table } from '../compile.ts';
import type { Facts, RootCondition } from '../document/document.ts';

/** Boxes examined per rule: a region may have many, and the first ones contain the neighbours that a case needs. */
const contextsPerRule = 64;

/** Returns facts that the rule in this row decides: the lowest member of each box of its region, then the highest. */
export function contextsOf(table: Table, row: number): readonly Facts[] {
  const boxes = regionOf(table, row).slice(0, contextsPerRule);
  return [...boxes.map((box) => sample(table, box)), ...boxes.map((box) => member(table, box, highestBit))];
}

/** Returns what the rows above do not decide, in disjoint boxes; for a collect table, everything. */
export function regionOf(table: Table, row: number): readonly Box[] {
  const { document, partition } = table;
  const rule = document.rules[row];
  if (!rule) return [];
  const above = table.isFirstHit ? document.rules.slice(0, row) : [];
  const taken = [...above.map((other) => other.conditions), ...constraintsOf(table)];
  return subtractAll(disjoint(boxesOf(rule.conditions, partition)), boxesOfAll(table, taken));
}

const constraintsOf = (table: Table) => (table.document.constraints ?? []).map((constraint) => constraint.impossible);

const boxesOfAll = ({ partition }: Table, conditions: readonly RootCondition[]): readonly Box[] =>
  conditions.flatMap((condition) => boxesOf(condition, partition));

/** Returns the member of a box with the lowest cell of every fact. */
export const sample = (space: Space, box: Box): Facts => member(space, box, lowestBit);

type Space = Pick<Table, 'partition'>;

const member = ({ partition }: Space, box: Box, bitOf: (cells: bigint) => number): Facts =>
  Object.fromEntries(partition.map(({ name, cells }, fact) => [name, cells[bitOf(box[fact] ?? 1n)]?.sample ?? 0]));

const highestBit = (cells: bigint): number => cells.toString(2).length - 1;
const lowestBit = (cells: bigint): number => highestBit(cells & -cells);

/** Returns where no rule holds, without impossible facts; in a first-hit table these are gaps. */
export function uncovered(table: Table): readonly Box[] {
  const taken = [...table.document.rules.map((rule) => rule.conditions), ...constraintsOf(table)];
  return subtractAll([fullBox(table.partition)], boxesOfAll(table, taken));
}
