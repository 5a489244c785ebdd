// What an analysis finds out about a table, before it is put into words. A second implementation, in the tests, fills the
// same shape.

export interface CellAnalysis {
  /** Cells that no constraint rules out. */
  readonly possibleCells: number;
  /** Possible cells on which no row holds. */
  readonly gapCells: number;
  /** For each row, the cells it decides; of a collect table those it holds on. */
  readonly cellsOfRow: readonly number[];
  readonly breaks: readonly Break[];
  /** Conditions without which every cell is decided by the same row; rows that decide nothing are left out. */
  readonly idleConditions: readonly IdleCondition[];
  /** Rows without which every cell is decided the same, by another row. */
  readonly idleRows: readonly number[];
  readonly overlaps: readonly Overlap[];
}

/** A better value of `fact` alone leads from `fromRow` to `toRow`, whose outcome is worse. */
export interface Break {
  readonly fact: string;
  readonly fromRow: number;
  readonly toRow: number;
}

/** `at` is the place in the rule, such as `all.1`. */
export interface IdleCondition {
  readonly row: number;
  readonly at: string;
}

/** `lower`, which decides elsewhere, also holds where `upper` decides, and would say something else; not the default. */
export interface Overlap {
  readonly upper: number;
  readonly lower: number;
}

/** Breaks in the order of facts, then rows. */
export const inOrder = (breaks: readonly Break[], facts: readonly string[]): readonly Break[] =>
  breaks.toSorted(
    (left, right) =>
      facts.indexOf(left.fact) - facts.indexOf(right.fact) || left.fromRow - right.fromRow || left.toRow - right.toRow,
  );
