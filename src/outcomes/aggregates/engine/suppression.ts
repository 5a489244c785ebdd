// Rules 1 to 3 of protection (contract 70 §5): primary and complementary suppression of a unit, and its propagation to
// the unit's parts.
import type { ProtectionRules, Unit } from './units.ts';

/** Called once for each count that becomes suppressed. */
export type OnSuppressed = (unit: Unit, bandIndex: number) => void;

export interface Suppression {
  /** Applies rules 1 to 3 to the unit and all units below it. */
  suppressUnit(unit: Unit): void;
  /** Suppresses one more count, and what follows from it. */
  suppressBand(unit: Unit, bandIndex: number): void;
}

export function createSuppression(rules: ProtectionRules, onSuppressed: OnSuppressed): Suppression {
  function suppressOne(unit: Unit, bandIndex: number): void {
    if (unit.suppressed[bandIndex]) return;
    unit.suppressed[bandIndex] = true;
    onSuppressed(unit, bandIndex);
  }
  /** Rule 3: before a part suppresses counts of its own, it takes over the suppressed bands of its unit. */
  function suppressUnit(unit: Unit): void {
    for (const bandIndex of bandsToSuppress(unit, rules)) suppressOne(unit, bandIndex);
    for (const part of unit.parts) {
      unit.suppressed.forEach((isSuppressed, bandIndex) => {
        if (isSuppressed) suppressOne(part, bandIndex);
      });
      suppressUnit(part);
    }
  }
  return {
    suppressUnit,
    suppressBand: (unit, bandIndex) => {
      suppressOne(unit, bandIndex);
      suppressUnit(unit);
    },
  };
}

/** Returns whether the suppressed bands of the unit satisfy rules 1 and 2. */
export const isSuppressedEnough = (unit: Unit, rules: ProtectionRules): boolean =>
  bandsToSuppress(unit, rules).every((bandIndex) => unit.suppressed[bandIndex]);

/** Returns the bands that a unit has to suppress by rules 1 and 2, including those that are suppressed already. */
function bandsToSuppress(unit: Unit, rules: ProtectionRules): readonly number[] {
  const { counts, suppressed, students } = unit;
  const bandIndexes = rules.bands.map((_, bandIndex) => bandIndex);
  const count = (bandIndex: number): number => counts[bandIndex] ?? 0;
  if (
    bandIndexes.some(
      (bandIndex) => rules.neverAlone.includes(rules.bands[bandIndex] ?? '') && count(bandIndex) === students,
    )
  )
    return bandIndexes;
  const chosen = bandIndexes.filter((bandIndex) => suppressed[bandIndex] || count(bandIndex) < rules.threshold);
  if (chosen.every((bandIndex) => count(bandIndex) === 0)) return [];
  for (const bandIndex of smallestFirst(
    unit,
    bandIndexes.filter((one) => !chosen.includes(one)),
  )) {
    const total = chosen.reduce((sofar, one) => sofar + count(one), 0);
    if (chosen.length >= 2 && total >= rules.threshold) break;
    chosen.push(bandIndex);
  }
  return chosen;
}

/** Equal counts keep the order of bands. */
export const smallestFirst = ({ counts }: Unit, bandIndexes: readonly number[]): number[] =>
  bandIndexes.toSorted((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0) || one - other);

/**
 * Maximum number of sets of bands that are tried, best first: all sets of five bands, a few of the thousands of sets of
 * more bands.
 */
export const mostTried = ({ bands }: ProtectionRules): number => (bands.length <= 5 ? 33 : 8);

/** Returns all subsets of the bands, in the order of bands. */
export const setsOf = (bandIndexes: readonly number[]): number[][] =>
  bandIndexes.reduceRight<number[][]>(
    (sets, bandIndex) => [[], ...sets.map((set) => [bandIndex, ...set]), ...sets.slice(1)],
    [[]],
  );
