// Runs in a sequence of served items. Neighbours are neighbours in serving order: a skipped item breaks a run.

/** Longest stretch of true. */
export function longestRun(flags: readonly boolean[]): number {
  let longest = 0;
  let length = 0;
  for (const flag of flags) {
    length = flag ? length + 1 : 0;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** For each place the length of the whole run of equal positions it belongs to; 0 for a skipped item (null). */
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

/** Longest stretch a b a b … with a ≠ b; a single answer is a stretch of one. */
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
