// Every number that meets a threshold here is a ratio rounded to 4 decimals.
import { round4 } from './round.ts';

/** `round4(part / whole)` for 0 ≤ part ≤ whole; a share of nothing is 0. */
export const ratio4 = (part: number, whole: number): number => (part === 0 ? 0 : round4(part / whole));
