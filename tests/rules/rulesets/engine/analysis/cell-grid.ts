// The space of a table as a grid: the operators' result of every comparison in every cell, and rows evaluated one cell
// at a time. It is independent of the algebra of boxes, so that each checks the other.
import type { Condition, RootCondition, TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { leafHolds } from '#rules/rulesets/engine/document/operators.ts';
import { type FactPartition, partitionFacts } from '#rules/rulesets/engine/partition.ts';

export interface CellGrid {
  readonly partition: readonly FactPartition[];
  readonly cells: number;
  /** Distance in the grid between neighbouring cells of each fact; the last fact runs fastest. */
  readonly strides: readonly number[];
  /** Compiles a condition into a predicate on the current cell. */
  test(condition: Condition): () => boolean;
  /** Compiles conditions into the index of the first that holds; −1 when none does. */
  firstOf(conditions: readonly Condition[]): () => number;
  /** Visits all cells in order. */
  walk(visit: (cell: number) => void): void;
}

interface Walked {
  readonly partition: readonly FactPartition[];
  readonly at: Int32Array;
}

export function cellGrid(document: TableDocument): CellGrid {
  const partition = partitionFacts(document);
  const at = new Int32Array(partition.length);
  const strides = stridesOf(partition);
  return {
    partition,
    cells: partition.reduce((product, fact) => product * fact.cells.length, 1),
    strides,
    test: (condition) => compiled((write) => write(condition), { partition, at }),
    firstOf: (conditions) =>
      compiled((write) => [...conditions.map((one, index) => `${write(one)} ? ${index} : `), '-1'].join(''), {
        partition,
        at,
      }),
    walk: (visit) => walk(partition, at, visit),
  };
}

function stridesOf(partition: readonly FactPartition[]): readonly number[] {
  const sizes = partition.map((fact) => fact.cells.length);
  return sizes.map((_, fact) => sizes.slice(fact + 1).reduce((product, size) => product * size, 1));
}

function walk(partition: readonly FactPartition[], at: Int32Array, visit: (cell: number) => void): void {
  const sizes = Int32Array.from(partition, (fact) => fact.cells.length);
  at.fill(0);
  for (let cell = 0; ; cell += 1) {
    visit(cell);
    let fact = sizes.length - 1;
    for (; fact >= 0; fact -= 1) {
      const next = (at[fact] ?? 0) + 1;
      at[fact] = next < (sizes[fact] ?? 0) ? next : 0;
      if (at[fact] !== 0) break;
    }
    if (fact < 0) return;
  }
}

/** Conditions compiled to JavaScript, for millions of cells: `at` contains the current cell of each fact. */
function compiled<Answer>(
  text: (write: (condition: Condition) => string) => string,
  { partition, at }: Walked,
): () => Answer {
  const truths: Uint8Array[] = [];
  const body = text((condition) => expressionOf(condition, partition, truths));
  const names = truths.map((_, index) => `t${index}`);
  return new Function('at', ...names, `return () => ${body};`)(at, ...truths);
}

/** Comparisons look up their result by the cell of their fact, as the library's operators gave it for the sample. */
function expressionOf(condition: Condition, partition: readonly FactPartition[], truths: Uint8Array[]): string {
  const members = (list: readonly Condition[]) => list.map((member) => expressionOf(member, partition, truths));
  if ('not' in condition) return `!${expressionOf(condition.not, partition, truths)}`;
  if ('all' in condition) return `(${['true', ...members(condition.all)].join(' && ')})`;
  if ('any' in condition) return `(${['false', ...members(condition.any)].join(' || ')})`;
  const fact = partition.findIndex(({ name }) => name === condition.fact);
  const cells = partition[fact]?.cells ?? [];
  truths.push(Uint8Array.from(cells, ({ sample }) => Number(leafHolds(condition, sample))));
  return `(t${truths.length - 1}[at[${fact}]] === 1)`;
}

/** Whether the current cell is possible. */
export function possibility({ constraints = [] }: TableDocument, grid: CellGrid): () => boolean {
  const roots: readonly RootCondition[] = constraints.map(({ impossible }) => impossible);
  const isImpossible = grid.test({ any: roots });
  return () => !isImpossible();
}
