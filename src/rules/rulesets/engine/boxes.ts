// Rules as boxes: a box gives for every fact the set of admitted cells, so that a rule is a union of boxes and
// questions about tables become set algebra.
import type { Condition, Leaf } from './document/document.ts';
import { leafHolds } from './document/operators.ts';
import { tableLimits } from './document/table-limits.ts';
import type { FactPartition } from './partition.ts';

/** One bit set per fact, in partition order; bit n is the fact's cell n. No member is ever empty. */
export type Box = readonly bigint[];

export const fullBox = (partition: readonly FactPartition[]): Box =>
  partition.map((fact) => (1n << BigInt(fact.cells.length)) - 1n);

/** Returns the boxes on which the condition holds; the operators of json-rules-engine decide every cell. */
export function boxesOf(condition: Condition, partition: readonly FactPartition[]): readonly Box[] {
  return unfold(condition, partition, false);
}

function unfold(condition: Condition, partition: readonly FactPartition[], negated: boolean): readonly Box[] {
  if ('not' in condition) return unfold(condition.not, partition, !negated);
  if ('all' in condition) {
    const parts = condition.all.map((member) => unfold(member, partition, negated));
    return negated ? union(parts) : product(parts, partition);
  }
  if ('any' in condition) {
    const parts = condition.any.map((member) => unfold(member, partition, negated));
    return negated ? product(parts, partition) : union(parts);
  }
  return leafBox(condition, partition, negated);
}

function leafBox(leaf: Leaf, partition: readonly FactPartition[], negated: boolean): readonly Box[] {
  const index = partition.findIndex((fact) => fact.name === leaf.fact);
  const fact = partition[index];
  if (!fact) throw new Error(`fact ${leaf.fact} is not declared`);
  let admitted = 0n;
  for (const [bit, cell] of fact.cells.entries()) {
    if (leafHolds(leaf, cell.sample) !== negated) admitted |= 1n << BigInt(bit);
  }
  return admitted === 0n ? [] : [fullBox(partition).with(index, admitted)];
}

function product(parts: readonly (readonly Box[])[], partition: readonly FactPartition[]): readonly Box[] {
  let result: readonly Box[] = [fullBox(partition)];
  for (const part of parts) {
    const next: Box[] = [];
    for (const left of result) {
      for (const right of part) {
        const box = intersection(left, right);
        if (box) next.push(box);
      }
      assertFew(next);
    }
    result = next;
  }
  return result;
}

/** Merges boxes that differ in one fact only, so that `any` over one fact stays one box. */
function union(parts: readonly (readonly Box[])[]): readonly Box[] {
  const result: Box[] = [];
  for (const box of parts.flat()) {
    const at = result.findIndex((other) => differingFacts(other, box).length <= 1);
    const other = result[at];
    if (other) result[at] = other.map((cells, fact) => cells | (box[fact] ?? 0n));
    else result.push(box);
    assertFew(result);
  }
  return result;
}

const differingFacts = (left: Box, right: Box): number[] =>
  [...left.keys()].filter((fact) => left[fact] !== right[fact]);

/** Checked while boxes are built, since a few dozen comparisons can expand into millions. */
function assertFew(boxes: readonly Box[]): void {
  if (boxes.length <= tableLimits.boxesOfRule) return;
  throw new RangeError(`a rule unfolds into more than ${tableLimits.boxesOfRule} boxes`);
}

/** Returns undefined when the boxes share no cell; most pairs differ in an early fact. */
export function intersection(left: Box, right: Box): Box | undefined {
  const common: bigint[] = [];
  for (let fact = 0; fact < left.length; fact += 1) {
    const cells = (left[fact] ?? 0n) & (right[fact] ?? 0n);
    if (cells === 0n) return undefined;
    common.push(cells);
  }
  return common;
}

/** Returns `box` without `removed` as disjoint boxes, at most one per fact. */
function subtract(box: Box, removed: Box): readonly Box[] {
  if (!intersection(box, removed)) return [box];
  const rest: Box[] = [];
  let core = box;
  for (const [fact, cells] of box.entries()) {
    const outside = cells & ~(removed[fact] ?? 0n);
    if (outside !== 0n) rest.push(core.with(fact, outside));
    core = core.with(fact, cells & (removed[fact] ?? 0n));
  }
  return rest;
}

/** Returns the union without all `removed` boxes. */
export function subtractAll(boxes: readonly Box[], removed: readonly Box[]): readonly Box[] {
  return removed.reduce<readonly Box[]>((rest, box) => rest.flatMap((member) => subtract(member, box)), boxes);
}

/** Returns an equal union of boxes that share no cell, so that cells can be counted. */
export const disjoint = (boxes: readonly Box[]): readonly Box[] =>
  boxes.flatMap((box, index) => subtractAll([box], boxes.slice(0, index)));
