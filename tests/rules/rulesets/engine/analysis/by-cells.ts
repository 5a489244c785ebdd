// The second implementation of the analysis: every cell in turn. It is slower and simple enough to trust, for
// comparison with the first one.

import {
  type Break,
  breaksInOrder,
  type CellAnalysis,
  type IdleCondition,
  type Overlap,
} from '#rules/rulesets/engine/analysis/cell-analysis.ts';
import { dropsOf } from '#rules/rulesets/engine/analysis/drops.ts';
import { directionsOf, isDefault, ranksOf } from '#rules/rulesets/engine/analysis/ranks.ts';
import { decisionKey } from '#rules/rulesets/engine/analysis/same-decision.ts';
import type { TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { type CellGrid, cellGrid, possibility } from './cell-grid.ts';

/** Maximum number of cells; larger spaces are analysed by boxes only. */
export const maxCells = 2e7;

const impossible = -2;
const gap = -1;
/** Rank of an unordered outcome, and of a cell without a row. */
const noRank = -1;

/** Throws RangeError when the space has more than `maxCells` cells. */
export function analyseByCells(document: TableDocument): CellAnalysis {
  const grid = cellGrid(document);
  if (grid.cells > maxCells) throw new RangeError(`${grid.cells} cells are too many to walk`);
  return document.meta.hitPolicy === 'first' ? analyseFirstHit(document, grid) : analyseCollect(document, grid);
}

function analyseFirstHit(document: TableDocument, grid: CellGrid): CellAnalysis {
  const rowOfCell = new Int16Array(grid.cells).fill(impossible);
  const conditionsOfRows = document.rules.map(({ conditions }) => conditions);
  const rowOf = grid.firstOf(conditionsOfRows);
  const isPossible = possibility(document, grid);
  const tests = document.rules.map((rule) => grid.test(rule.conditions));
  const conditions = candidateDrops(document, grid);
  const overlaps = overlapCandidates(document);
  const unseen = document.rules.map((_, row) => overlaps.filter(({ upper }) => upper === row));
  const idleRows = new Set(tests.keys());
  const keys = document.rules.map(decisionKey);
  grid.walk((cell) => {
    if (!isPossible()) return;
    const row = rowOf();
    rowOfCell[cell] = row;
    const arrivals = row === gap ? tests.length : row + 1;
    for (const one of conditions) if (one.row < arrivals && one.test() !== (one.row === row)) conditions.delete(one);
    if (row === gap) return;
    for (const one of unseen[row] ?? []) if (!one.isSeen && tests[one.lower]?.()) one.isSeen = true;
    if (!idleRows.has(row)) return;
    const next = tests.findIndex((holds, lower) => lower > row && holds());
    if (keys[next] !== keys[row]) idleRows.delete(row);
  });
  const counts = countsOf(rowOfCell, tests.length);
  const cellsOfRow = counts.slice(-impossible);
  const isReached = (row: number) => (cellsOfRow[row] ?? 0) > 0;
  return {
    possibleCells: grid.cells - (counts[0] ?? 0),
    gapCells: counts[gap - impossible] ?? 0,
    cellsOfRow,
    breaks: breaksOf(document, grid, rowOfCell),
    idleConditions: [...conditions].filter(({ row }) => isReached(row)).map(({ row, at }) => ({ row, at })),
    idleRows: [...idleRows].filter(isReached),
    overlaps: overlaps
      .filter(({ isSeen, lower }) => isSeen && isReached(lower))
      .map(({ upper, lower }) => ({ upper, lower })),
  };
}

function analyseCollect(document: TableDocument, grid: CellGrid): CellAnalysis {
  const isPossible = possibility(document, grid);
  const tests = document.rules.map((rule) => grid.test(rule.conditions));
  const conditions = candidateDrops(document, grid);
  const cellsOfRow = tests.map(() => 0);
  let [possibleCells, gapCells] = [0, 0];
  grid.walk(() => {
    if (!isPossible()) return;
    possibleCells += 1;
    const held = tests.map((holds) => holds());
    if (!held.includes(true)) gapCells += 1;
    for (const [row, holds] of held.entries()) if (holds) cellsOfRow[row] = (cellsOfRow[row] ?? 0) + 1;
    for (const one of conditions) if (one.test() !== held[one.row]) conditions.delete(one);
  });
  const idle = [...conditions].filter(({ row }) => (cellsOfRow[row] ?? 0) > 0);
  const idleConditions = idle.map(({ row, at }) => ({ row, at }));
  return { possibleCells, gapCells, cellsOfRow, breaks: [], idleConditions, idleRows: [], overlaps: [] };
}

/** Conditions without a known effect; `test` evaluates the rule without it. */
function candidateDrops({ rules }: TableDocument, grid: CellGrid): Set<IdleCondition & { test(): boolean }> {
  return new Set(
    rules.flatMap(({ conditions }, row) =>
      dropsOf(conditions).map(({ at, root }) => ({ row, at, test: grid.test(root) })),
    ),
  );
}

function overlapCandidates(document: TableDocument): (Overlap & { isSeen: boolean })[] {
  const outcomes = document.rules.map((rule) => rule.event.params.outcome);
  return outcomes.flatMap((outcome, upper) =>
    outcomes.flatMap((other, lower) =>
      lower <= upper || other === outcome || isDefault(document, lower) ? [] : [{ upper, lower, isSeen: false }],
    ),
  );
}

/** Counts impossible cells, gaps, and the cells of each row. */
function countsOf(rowOfCell: Int16Array, rows: number): number[] {
  const counts = Array.from({ length: rows - impossible }, () => 0);
  for (const row of rowOfCell) counts[row - impossible] = (counts[row - impossible] ?? 0) + 1;
  return counts;
}

/** Compares, along each fact with a direction, each cell with all better ones. */
function breaksOf(document: TableDocument, grid: CellGrid, rowOfCell: Int16Array): readonly Break[] {
  const rankOf = Int16Array.from([noRank, noRank, ...ranksOf(document)], (rank) => rank ?? noRank);
  const found = new Map<string, Break>();
  for (const [position, direction] of directionsOf(document).entries()) {
    const { name: fact = '', cells = [] } = grid.partition[position] ?? {};
    const stride = grid.strides[position] ?? 1;
    for (let cell = 0; direction !== 0 && cell < grid.cells; cell += 1) {
      const fromRow = rowOfCell[cell] ?? impossible;
      const fromRank = rankOf[fromRow - impossible] ?? noRank;
      const at = Math.floor(cell / stride) % cells.length;
      for (let other = at + direction; fromRank > 0 && other >= 0 && other < cells.length; other += direction) {
        const toRow = rowOfCell[cell + (other - at) * stride] ?? impossible;
        const toRank = rankOf[toRow - impossible] ?? noRank;
        if (toRank >= 0 && toRank < fromRank) found.set(`${fact} ${fromRow} ${toRow}`, { fact, fromRow, toRow });
      }
    }
  }
  return breaksInOrder(
    [...found.values()],
    grid.partition.map(({ name }) => name),
  );
}
