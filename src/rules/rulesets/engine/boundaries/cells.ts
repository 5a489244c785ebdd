// Iterates over the cells of a table's fact space. All members of a cell are decided alike.

import { seededNumbers } from '#core/platform/pure/random.ts';
import type { Table } from '../compile.ts';
import { holds, leavesOf } from '../document/conditions.ts';
import type { Facts, FactValue, RootCondition } from '../document/document.ts';

/** Number of cells before impossible ones are left out. */
export const cellCount = (table: Table): number =>
  table.partition.reduce((product, fact) => product * fact.cells.length, 1);

/** Yields one member of every possible cell. A constraint prunes its branch as soon as its facts are set. */
export function* cellsOf(table: Table): Generator<Facts> {
  const { partition } = table;
  const constraints = constraintsByDepth(table);
  const next = partition.map(() => 0);
  const facts: Record<string, FactValue> = {};
  for (let depth = 0; depth >= 0; ) {
    const fact = partition[depth];
    const at = next[depth] ?? 0;
    const cell = fact?.cells[at];
    next[depth] = cell ? at + 1 : 0;
    if (!fact || !cell) {
      depth -= 1;
      continue;
    }
    facts[fact.name] = cell.sample;
    if (constraints[depth]?.some((impossible) => holds(impossible, facts))) continue;
    if (depth < partition.length - 1) depth += 1;
    else yield { ...facts };
  }
}

/** Returns for each fact the constraints that can be evaluated once it and the facts before it are set. */
function constraintsByDepth({ partition, document }: Table): readonly RootCondition[][] {
  const result: RootCondition[][] = partition.map(() => []);
  for (const { impossible } of document.constraints ?? []) {
    const names = factNames(impossible);
    const last = partition.findLastIndex((fact) => names.has(fact.name));
    result[Math.max(0, last)]?.push(impossible);
  }
  return result;
}

const factNames = (condition: RootCondition): ReadonlySet<string> =>
  new Set(leavesOf(condition).map((leaf) => leaf.fact));

/**
 * Yields `count` members of random possible cells, for tables that are too large to enumerate. Equal seeds give equal
 * samples.
 */
export function* sampledCells(table: Table, count: number, seed: number): Generator<Facts> {
  const next = seededNumbers(seed);
  for (let found = 0; found < count; ) {
    const facts: Record<string, FactValue> = {};
    for (const { name, cells } of table.partition) facts[name] = cells[Math.floor(next() * cells.length)]?.sample ?? 0;
    if (isImpossible(table, facts)) continue;
    found += 1;
    yield facts;
  }
}

/** Returns whether a constraint of the table rules these facts out. */
export const isImpossible = (table: Table, facts: Facts): boolean =>
  (table.document.constraints ?? []).some(({ impossible }) => holds(impossible, facts));
