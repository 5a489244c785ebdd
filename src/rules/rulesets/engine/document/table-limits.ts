// How large a table may be: far above every table that we ship and any that a person could review, and small enough that
// a process can compile one beside its other work.

export const tableLimits = {
  facts: 64,
  rules: 256,
  constraints: 64,
  /** Leaves of one rule or constraint. */
  comparisons: 64,
  /** Of an enum, of an `in` list, of the vocabulary. */
  values: 64,
  /** Into which a numeric fact is cut. */
  cells: 1_024,
  /** Into which one rule unfolds… */
  boxesOfRule: 1_024,
  /** …and all of them. */
  boxes: 8_192,
} as const;
