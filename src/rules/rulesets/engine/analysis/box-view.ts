// A box as conditions of the document, so that a finding can be read, tried and pasted as a row.

import { sample } from '../boundaries/regions.ts';
import type { Box } from '../boxes.ts';
import { leavesOf } from '../document/conditions.ts';
import type { AllOf, Condition, Facts, FactValue, Leaf, TableDocument } from '../document/document.ts';
import type { FactPartition, ValueCell } from '../partition.ts';
import { bitsOf, cellsOfBoxes } from './sizes.ts';

/** `share` is of the possible cells, 0 to 1; `sample` is one member, facts in document order. */
export interface BoxView {
  readonly conditions: AllOf;
  readonly sample: Facts;
  readonly share: number;
}

/**
 * Returns the view of a box. `spaceCells` is the denominator of the share. Facts that the box does not restrict have no
 * condition.
 */
export const viewOf = (box: Box, partition: readonly FactPartition[], spaceCells: number): BoxView => ({
  conditions: { all: partition.flatMap((fact, at) => conditionsOn(fact, box[at] ?? 0n)) },
  sample: sample({ partition }, box),
  share: spaceCells === 0 ? 0 : cellsOfBoxes([box]) / spaceCells,
});

/** Restores the names of constants where the document compares the same fact with the same literal. */
export function withReferences(root: AllOf, document: TableDocument): AllOf {
  const known = document.rules.flatMap((rule) => leavesOf(rule.conditions)).filter(({ valueRef }) => valueRef);
  const refer = (condition: Condition): Condition => {
    if ('all' in condition) return { all: condition.all.map(refer) };
    if ('any' in condition) return { any: condition.any.map(refer) };
    if ('not' in condition) return { not: refer(condition.not) };
    const same = known.find(({ fact, value }) => fact === condition.fact && value === condition.value);
    return same?.valueRef === undefined ? condition : { ...condition, valueRef: same.valueRef };
  };
  return { all: root.all.map(refer) };
}

function conditionsOn(fact: FactPartition, admitted: bigint): readonly Condition[] {
  const bits = bitsOf(admitted);
  if (bits.length === fact.cells.length) return [];
  if (fact.spec.type === 'enum' || fact.spec.type === 'boolean') return [wordsLeaf(fact, bits)];
  const ranges = runsOf(bits).map((run) => rangeLeaves(fact, run));
  const [first] = ranges;
  if (ranges.length === 1 && first) return first;
  return [{ any: ranges.map((leaves): Condition => (leaves[0] && leaves.length === 1 ? leaves[0] : { all: leaves })) }];
}

function wordsLeaf({ name, cells }: FactPartition, bits: readonly number[]): Leaf {
  const values = bits.flatMap((bit) => cells[bit]?.sample ?? []);
  const [only] = values;
  if (values.length === 1 && only !== undefined) return { fact: name, operator: 'equal', value: only };
  const missing = cells.filter((_, bit) => !bits.includes(bit)).map(({ sample }) => sample);
  const [except] = missing;
  if (missing.length === 1 && except !== undefined) return { fact: name, operator: 'notEqual', value: except };
  return { fact: name, operator: 'in', value: values };
}

/** Returns runs of neighbouring cells as first and last. */
function runsOf(bits: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const bit of bits) {
    const run = runs.at(-1);
    if (run && run[1] === bit - 1) run[1] = bit;
    else runs.push([bit, bit]);
  }
  return runs;
}

function rangeLeaves({ name, cells }: FactPartition, [from, to]: readonly [number, number]): readonly Leaf[] {
  const [first, last] = [cells[from], cells[to]];
  if (!first || !last) return [];
  if (from === to && first.kind === 'point') return [{ fact: name, operator: 'equal', value: first.sample }];
  const low = from === 0 ? [] : [bound(name, first, first.low, 'greaterThan')];
  const high = to === cells.length - 1 ? [] : [bound(name, last, last.high, 'lessThan')];
  return [...low, ...high];
}

/** Bounds of whole numbers use the cut itself: `< 4`, never `<= 3`. */
function bound(fact: string, { kind }: ValueCell, value: FactValue, operator: 'greaterThan' | 'lessThan'): Leaf {
  return { fact, operator: kind === 'point' ? `${operator}Inclusive` : operator, value };
}
