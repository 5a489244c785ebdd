// Closed words of a column, from the list that the code reads too: nobody keeps two lists alike by hand. Words that a rule
// document owns have no list here.

/** `status in ('a', 'b')`. Throws RangeError for a word that would need quoting. */
export function oneOf(column: string, words: readonly string[]): string {
  const odd = words.find((word) => !/^[A-Za-z0-9_]+$/.test(word));
  if (odd !== undefined) throw new RangeError(`not a word: ${odd}`);
  return `${column} in (${words.map((word) => `'${word}'`).join(', ')})`;
}
