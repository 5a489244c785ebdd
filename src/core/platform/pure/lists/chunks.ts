/** Splits the list into lists of `size`; the last one may be shorter. */
export const chunks = <Value>(list: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
