// The numeric result of an analysis. The second implementation, in the tests, returns the same type.

export interface CellAnalysis {
  /** Cells that no constraint rules out. */
  readonly possibleCells: number;
  /** Possible cells on which no row holds. */
  readonly gapCells: number;
  /** For each row, the number of cells that it decides; in a collect table, of cells on which it holds. */
  readonly cellsOfRow: readonly number[];
  readonly breaks: readonly Break[];
  /** Conditions without which every cell is decided by the same row; rows that decide nothing are left out. */
  readonly idleConditions: readonly IdleCondition[];
  /** Rows without which every cell is decided the same, by another row. */
  readonly idleRows: readonly number[];
  readonly overlaps: readonly Overlap[];
}

/** A monotonicity break: a better value of `fact` alone leads from `fromRow` to `toRow`, whose outcome is worse. */
export interface Break {
  readonly fact: string;
  readonly fromRow: number;
  readonly toRow: number;
}

/** A condition without effect. `at` is the path in the rule, such as `all.1`. */
export interface IdleCondition {
  readonly row: number;
  readonly at: string;
}

/** `lower`, which is not the default and decides elsewhere, also holds where `upper` decides, with another outcome. */
export interface Overlap {
  readonly upper: number;
  readonly lower: number;
}

/** Sorts breaks by fact, then by rows. */
export const breaksInOrder = (breaks: readonly Break[], facts: readonly string[]): readonly Break[] =>
  breaks.toSorted(
    (left, right) =>
      facts.indexOf(left.fact) - facts.indexOf(right.fact) || left.fromRow - right.fromRow || left.toRow - right.toRow,
  );
