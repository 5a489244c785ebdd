/** Compares numbers, and texts by their code units, for `sort`. */
export const compare = <Value extends string | number>(one: Value, other: Value): number =>
  one < other ? -1 : one > other ? 1 : 0;
