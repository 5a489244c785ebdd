// Check constraints for closed values of a column, from the list that the code uses too. Values that a rule document
// owns have no list here.

/** Returns `status in ('a', 'b')`. Throws RangeError for a value that would need quoting. */
export function oneOf(column: string, words: readonly string[]): string {
  const odd = words.find((word) => !/^[A-Za-z0-9_]+$/.test(word));
  if (odd !== undefined) throw new RangeError(`not a value without quotes: ${odd}`);
  return `${column} in (${words.map((word) => `'${word}'`).join(', ')})`;
}
