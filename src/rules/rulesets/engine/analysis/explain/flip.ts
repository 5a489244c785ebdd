// The flip distance: the smallest change of facts that changes a table's decision.
import type { Box } from '../../boxes.ts';
import type { FactSpec, Facts, FactValue } from '../../document/document.ts';
import type { FactPartition, ValueCell } from '../../partition.ts';
import type { Layers } from '../layers.ts';
import { bitsOf } from '../sizes.ts';

export interface FlipDistance {
  /** In document order. */
  readonly changes: readonly FactChange[];
  /**
   * Sum over the changed facts, each 0 to 1: the share of its domain's width, of the steps of a scale, or 1 for a plain
   * value.
   */
  readonly distance: number;
  readonly ruleId: string;
  readonly outcome: string;
  /** All facts after the change. */
  readonly facts: Facts;
}

export interface FactChange {
  readonly fact: string;
  readonly from: FactValue;
  readonly to: FactValue;
}

interface Move extends FactChange {
  readonly distance: number;
}

interface Candidate {
  readonly moves: readonly Move[];
  readonly distance: number;
  readonly row: number;
}

/**
 * Returns the change with the fewest facts, then the smallest distance, then table order. Returns undefined when the
 * table decides the same everywhere. Only possible facts are proposed, and fixed facts stay. `facts` must fit the
 * table, as `decide` ensures.
 */
export function flipDistance(
  layers: Layers,
  facts: Facts,
  outcome: string,
  mayMove: (fact: string) => boolean = () => true,
): FlipDistance | undefined {
  const { document, deciding, partition } = layers;
  let best: Candidate | undefined;
  for (const [row, boxes] of deciding.entries()) {
    if (document.rules[row]?.event.params.outcome === outcome) continue;
    for (const box of boxes) {
      const moves = movesInto(box, partition, facts, best?.moves.length ?? partition.length);
      if (!moves?.every(({ fact }) => mayMove(fact))) continue;
      const candidate = { moves, distance: moves.reduce((sum, move) => sum + move.distance, 0), row };
      if (!best || isNearer(candidate, best)) best = candidate;
    }
  }
  const rule = best && document.rules[best.row];
  if (!best || !rule) return undefined;
  const changes = best.moves.map(({ fact, from, to }) => ({ fact, from, to }));
  return {
    changes,
    distance: best.distance,
    ruleId: rule.name,
    outcome: rule.event.params.outcome,
    facts: { ...facts, ...Object.fromEntries(changes.map(({ fact, to }) => [fact, to])) },
  };
}

const isNearer = (left: Candidate, right: Candidate): boolean =>
  left.moves.length < right.moves.length ||
  (left.moves.length === right.moves.length && left.distance < right.distance);

/** Returns the shortest change into a box, one step per fact outside it; undefined beyond `limit`. */
function movesInto(
  box: Box,
  partition: readonly FactPartition[],
  facts: Facts,
  limit: number,
): readonly Move[] | undefined {
  const moves: Move[] = [];
  for (const [at, fact] of partition.entries()) {
    const from = facts[fact.name];
    const cells = bitsOf(box[at] ?? 0n).flatMap((bit) => fact.cells[bit] ?? []);
    if (from === undefined || cells.some((cell) => isIn(cell, from))) continue;
    if (moves.length === limit) return undefined;
    moves.push(nearestMove(fact, cells, from));
  }
  return moves;
}

const isIn = ({ kind, low, high }: ValueCell, value: FactValue): boolean =>
  kind === 'point' ? value === low : value > low && value < high;

function nearestMove({ name, spec }: FactPartition, cells: readonly ValueCell[], from: FactValue): Move {
  const moves = cells.map((cell) => {
    const to = memberNearest(cell, spec, from);
    return { fact: name, from, to, distance: distanceOf(spec, from, to) };
  });
  return moves.reduce((best, move) => (move.distance < best.distance ? move : best));
}

/** Returns the nearest member of a cell. Intervals exclude their ends, so it is one step inside the nearer end. */
function memberNearest(cell: ValueCell, spec: FactSpec, from: FactValue): FactValue {
  const { kind, low, high, sample } = cell;
  if (kind === 'point' || typeof low !== 'number' || typeof high !== 'number') return sample;
  if (Number(from) <= low) return sample;
  const step = spec.type === 'integer' ? 1 : 0.0001;
  const last = Number((high - step).toFixed(4));
  return last > low ? last : sample;
}

function distanceOf(spec: FactSpec, from: FactValue, to: FactValue): number {
  if (spec.type === 'boolean') return 1;
  if (spec.type !== 'enum') return Math.abs(Number(to) - Number(from)) / (spec.max - spec.min || 1);
  if (spec.better === null) return 1;
  return Math.abs(spec.values.indexOf(String(to)) - spec.values.indexOf(String(from))) / (spec.values.length - 1);
}
