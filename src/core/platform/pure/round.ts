// Rounding of every number before it is compared with a threshold, stored or sent, so that summation order never changes an
// outcome.

/** At a larger distance from a tie, in units of the fourth decimal, binary error cannot change the rounding. */
const tieMargin = 1e-4;
const largestFast = 1e9;

/** Rounds half away from zero to 4 decimals; −0 becomes 0. The exact way uses text and runs near ties only. */
export function round4(value: number): number {
  const scaled = Math.abs(value) * 10_000;
  const nearest = Math.round(scaled);
  if (scaled < largestFast && Math.abs(scaled - nearest) < 0.5 - tieMargin) {
    return nearest === 0 ? 0 : (Math.sign(value) * nearest) / 10_000;
  }
  return roundHalfAway(value, 4);
}

/** Rounds half away from zero to `decimals` places, by the shortest decimal text of the number; −0 becomes 0. */
export function roundHalfAway(value: number, decimals: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`);
  const shifted = Math.round(Number(shiftDecimalPoint(Math.abs(value), decimals)));
  const rounded = Number(shiftDecimalPoint(shifted, -decimals));
  return rounded === 0 ? 0 : Math.sign(value) * rounded;
}

/** Moves the decimal point in the number's text, since multiplying by 10^n would add an error (1.00005 × 10⁴). */
function shiftDecimalPoint(value: number, places: number): string {
  const [mantissa, exponent = '0'] = value.toExponential().split('e');
  return `${mantissa}e${Number(exponent) + places}`;
}

/** Returns `round4(part / whole)` for 0 ≤ part ≤ whole; the share of nothing is 0. */
export const ratio4 = (part: number, whole: number): number => (part === 0 ? 0 : round4(part / whole));
