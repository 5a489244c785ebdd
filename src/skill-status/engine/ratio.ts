// Every number that meets a threshold here is a ratio rounded to 4 decimals; this is its one, fast way.
import { round4 } from '../../platform/pure/round.ts';

/** Farther than this from a tie, in units of the fourth decimal, binary error cannot change the rounding. */
const tieMargin = 1e-6;

/**
 * `round4(part / whole)` for 0 ≤ part ≤ whole; 0 when part is 0, whatever whole is. Exact decimal rounding works on
 * text and is some twenty times slower, so it is asked near ties only.
 */
export function ratio4(part: number, whole: number): number {
  if (part === 0) return 0;
  const scaled = (part / whole) * 10_000;
  const nearest = Math.round(scaled);
  return Math.abs(scaled - nearest) < 0.5 - tieMargin ? nearest / 10_000 : round4(part / whole);
}
