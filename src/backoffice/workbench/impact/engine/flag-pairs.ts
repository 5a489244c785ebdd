// Flags that are raised side by side: each is compared with itself.
import type { Pair } from './tally.ts';
import { notRaised } from './vocabulary.ts';

/** One pair for each flag that is raised on a side at least. */
export const flagPairs = (subject: string, before: readonly string[], after: readonly string[]): Pair[] =>
  [...new Set([...before, ...after])].map((flag) => ({
    subject,
    from: before.includes(flag) ? flag : notRaised,
    to: after.includes(flag) ? flag : notRaised,
  }));
