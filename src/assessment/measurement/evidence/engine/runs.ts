// Runs in a sequence of served items, in serving order; a skipped item breaks a run.

/** Returns the length of the longest run of `true`. */
export function longestRun(flags: readonly boolean[]): number {
  let longest = 0;
  let length = 0;
  for (const flag of flags) {
    length = flag ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Returns for each item the length of its run of equal positions; 0 for a skipped item (null). */
export function runLengths(positions: readonly (number | null)[]): number[] {
  const lengths = positions.map((position) => Number(position !== null));
  let start = 0;
  for (let at = 1; at <= positions.length; at += 1) {
    if (at < positions.length && positions[at] === positions[start]) continue;
    if (positions[start] !== null) lengths.fill(at - start, start, at);
    start = at;
  }
  return lengths;
}

/** Returns the length of the longest run a b a b … with a ≠ b; a single answer is a run of one. */
export function longestAlternation(positions: readonly (number | null)[]): number {
  let longest = 0;
  let length = 0;
  for (const [at, position] of positions.entries()) {
    if (position === null) length = 0;
    else if (length === 0 || position === positions[at - 1]) length = 1;
    else length = length >= 2 && position === positions[at - 2] ? length + 1 : 2;
    longest = Math.max(longest, length);
  }
  return longest;
}
