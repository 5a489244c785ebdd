// The first implementation of the analysis: exact set algebra on boxes, fast whatever the number of cells.
import { type Box, boxesOf, disjoint, subtractAll } from '../../boxes.ts';
import type { CellAnalysis, IdleCondition, Overlap } from '../cell-analysis.ts';
import { dropsOf } from '../drops.ts';
import { common, type Layers, meet } from '../layers.ts';
import { isDefault } from '../ranks.ts';
import { decisionKey } from '../same-decision.ts';
import { cellsOfBoxes } from '../sizes.ts';
import { breaksByBoxes } from './breaks.ts';

export function analyseByBoxes(layers: Layers): CellAnalysis {
  const isFirst = layers.document.meta.hitPolicy === 'first';
  return {
    possibleCells: cellsOfBoxes(layers.possible),
    gapCells: cellsOfBoxes(layers.left),
    cellsOfRow: layers.deciding.map(cellsOfBoxes),
    breaks: breaksByBoxes(layers),
    idleConditions: layers.document.rules.flatMap((_, row) => idleConditions(layers, row)),
    idleRows: isFirst ? [...layers.document.rules.keys()].filter((row) => isIdle(layers, row)) : [],
    overlaps: isFirst ? layers.document.rules.flatMap((_, row) => overlapsOf(layers, row)) : [],
  };
}

function idleConditions(layers: Layers, row: number): readonly IdleCondition[] {
  const rule = layers.document.rules[row];
  if (!rule || layers.deciding[row]?.length === 0) return [];
  return dropsOf(rule.conditions)
    .filter(({ root }) => changedByConditions(layers, row, boxesOf(root, layers.partition)).length === 0)
    .map(({ at }) => ({ row, at }));
}

/**
 * Returns the possible cells, as disjoint boxes, that another row would decide if this row held on `holding` instead.
 */
export function changedByConditions(layers: Layers, row: number, holding: readonly Box[]): readonly Box[] {
  const before = layers.holding[row] ?? [];
  const arriving = layers.arriving[row] ?? [];
  const gained = subtractAll(common(arriving, disjoint(holding)), before);
  const lost = subtractAll(layers.deciding[row] ?? [], holding);
  return [...gained, ...lost];
}

/** Returns whether the rows below decide the same wherever this row decides. */
function isIdle({ document, deciding, holding }: Layers, row: number): boolean {
  const rule = document.rules[row];
  let rest = deciding[row] ?? [];
  if (!rule || rest.length === 0) return false;
  const key = decisionKey(rule);
  for (const [offset, lower] of document.rules.slice(row + 1).entries()) {
    const taken = holding[row + 1 + offset] ?? [];
    if (decisionKey(lower) !== key && meet(rest, taken)) return false;
    rest = subtractAll(rest, taken);
  }
  return rest.length === 0;
}

function overlapsOf({ document, deciding, holding }: Layers, upper: number): readonly Overlap[] {
  const outcome = document.rules[upper]?.event.params.outcome;
  return document.rules.flatMap((rule, lower) => {
    if (lower <= upper || rule.event.params.outcome === outcome || isDefault(document, lower)) return [];
    const isReached = deciding[lower]?.length !== 0;
    return isReached && meet(deciding[upper] ?? [], holding[lower] ?? []) ? [{ upper, lower }] : [];
  });
}

/** Returns the rows above that leave nothing to this row. */
export const rowsAbove = ({ deciding, holding }: Layers, row: number): readonly number[] =>
  [...deciding.keys()].filter((other) => other < row && meet(deciding[other] ?? [], holding[row] ?? []));
