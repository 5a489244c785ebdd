// Partitions every fact into cells within which no comparison of the table changes its result.

import { leavesOf } from './document/conditions.ts';
import type { Condition, FactSpec, FactValue, NumericFact, TableDocument } from './document/document.ts';

/**
 * A set of neighbouring values that all rules treat alike. `low` = `high` for a point; an interval excludes both ends.
 */
export interface ValueCell {
  /** A member of the cell; for an interval close to the cut below it, where mistakes are most likely. */
  readonly sample: FactValue;
  readonly low: FactValue;
  readonly high: FactValue;
  readonly kind: 'point' | 'between';
}

export interface FactPartition {
  readonly name: string;
  readonly spec: FactSpec;
  readonly cells: readonly ValueCell[];
  /** Numeric facts only: the constants that cut it, ascending. */
  readonly cuts: readonly number[];
}

/** Facts in document order; cuts come from the rules and from the constraints. */
export function partitionFacts(document: TableDocument): FactPartition[] {
  const conditions: Condition[] = [
    ...document.rules.map((rule) => rule.conditions),
    ...(document.constraints ?? []).map((constraint) => constraint.impossible),
  ];
  const leaves = conditions.flatMap(leavesOf);
  return Object.entries(document.facts).map(([name, spec]) => {
    const values = leaves.filter((leaf) => leaf.fact === name).flatMap((leaf) => leaf.value);
    return partitionFact(name, spec, values);
  });
}

function partitionFact(name: string, spec: FactSpec, values: readonly FactValue[]): FactPartition {
  if (spec.type === 'boolean') return { name, spec, cells: [false, true].map(point), cuts: [] };
  if (spec.type === 'enum') return { name, spec, cells: spec.values.map(point), cuts: [] };
  const cuts = [...new Set(values.filter((value) => typeof value === 'number'))].sort((a, b) => a - b);
  return { name, spec, cells: numericCells(spec, cuts), cuts };
}

const point = (value: FactValue): ValueCell => ({ sample: value, low: value, high: value, kind: 'point' });

/** Returns alternating intervals and cut points from `min` to `max`, without empty intervals. */
function numericCells(spec: NumericFact, cuts: readonly number[]): ValueCell[] {
  const cells: ValueCell[] = [];
  let from = belowMinimum(spec);
  for (const cut of [...cuts.filter((value) => value >= spec.min && value <= spec.max), aboveMaximum(spec)]) {
    cells.push(...interval(spec, from, cut));
    if (cut <= spec.max) cells.push(point(cut));
    from = cut;
  }
  return cells;
}

/** Interval ends are open, so an inclusive bound needs an end just outside it. */
const belowMinimum = (spec: NumericFact) => spec.min - outside(spec);
const aboveMaximum = (spec: NumericFact) => spec.max + outside(spec);
const outside = (spec: NumericFact) => (spec.type === 'integer' ? 1 : stepOf(spec));

/** Resolution of decimal facts: thresholds are compared after rounding to 4 decimals. */
const stepOf = (spec: NumericFact) => (spec.type === 'integer' ? 1 : 0.0001);

function interval(spec: NumericFact, low: number, high: number): ValueCell[] {
  const sample = sampleBetween(spec, low, high);
  return sample === undefined || sample < spec.min || sample > spec.max ? [] : [{ sample, low, high, kind: 'between' }];
}

function sampleBetween(spec: NumericFact, low: number, high: number): number | undefined {
  const next = Number((low + stepOf(spec)).toFixed(4));
  if (next < high) return next;
  if (spec.type === 'integer') return undefined;
  const middle = low + (high - low) / 2;
  return middle > low && middle < high ? middle : undefined;
}
