// Size limits of tables: far above every shipped or reviewable table, and small enough to compile one in a busy
// process.

export const tableLimits = {
  facts: 64,
  rules: 256,
  constraints: 64,
  /** Leaves of one rule or constraint. */
  comparisons: 64,
  /** Values of an enum, of an `in` list, of the vocabulary. */
  values: 64,
  /** Cells of a numeric fact. */
  cells: 1_024,
  /** Boxes of one rule. */
  boxesOfRule: 1_024,
  /** Boxes of all rules. */
  boxes: 8_192,
} as const;
