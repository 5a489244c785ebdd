// Rules 1 to 3 of protection (contract 70 §5): which counts of a unit are hidden, and what follows for its parts.
import type { ProtectionRules, Unit } from './units.ts';

/** Told of each count that is hidden from now on. */
export type Hidden = (unit: Unit, place: number) => void;

export interface Hiding {
  /** Rules 1 to 3 of the unit and all below it. */
  settle(unit: Unit): void;
  /** One more count is hidden, with what follows. */
  hide(unit: Unit, place: number): void;
}

export function hidingBy(rules: ProtectionRules, tell: Hidden): Hiding {
  function conceal(unit: Unit, place: number): void {
    if (unit.hidden[place]) return;
    unit.hidden[place] = true;
    tell(unit, place);
  }
  /** Rule 3: before a part hides counts of its own, it hides what is hidden for the unit. */
  function settle(unit: Unit): void {
    for (const place of hiddenBy(unit, rules)) conceal(unit, place);
    for (const part of unit.parts) {
      unit.hidden.forEach((isHidden, place) => {
        if (isHidden) conceal(part, place);
      });
      settle(part);
    }
  }
  return {
    settle,
    hide: (unit, place) => {
      conceal(unit, place);
      settle(unit);
    },
  };
}

/** Whether what the unit hides is enough by rules 1 and 2. */
export const hidesEnough = (unit: Unit, rules: ProtectionRules): boolean =>
  hiddenBy(unit, rules).every((place) => unit.hidden[place]);

/** Places that a unit has to hide (rules 1 and 2), beside those that it hides already. */
function hiddenBy(unit: Unit, rules: ProtectionRules): readonly number[] {
  const { counts, hidden, students } = unit;
  const places = rules.bands.map((_, place) => place);
  const count = (place: number): number => counts[place] ?? 0;
  if (places.some((place) => rules.neverAlone.includes(rules.bands[place] ?? '') && count(place) === students))
    return places;
  const chosen = places.filter((place) => hidden[place] || count(place) < rules.threshold);
  if (chosen.every((place) => count(place) === 0)) return [];
  for (const place of smallestFirst(
    unit,
    places.filter((one) => !chosen.includes(one)),
  )) {
    const total = chosen.reduce((sofar, one) => sofar + count(one), 0);
    if (chosen.length >= 2 && total >= rules.threshold) break;
    chosen.push(place);
  }
  return chosen;
}

/** Equal ones in the order of bands. */
export const smallestFirst = ({ counts }: Unit, places: readonly number[]): number[] =>
  places.toSorted((one, other) => (counts[one] ?? 0) - (counts[other] ?? 0) || one - other);

/** How many sets of bands are tried, the best ones first: of five bands all that they have, of more bands few of thousands. */
export const mostTried = ({ bands }: ProtectionRules): number => (bands.length <= 5 ? 33 : 8);

/** All sets of places, in the order of bands. */
export const setsOf = (places: readonly number[]): number[][] =>
  places.reduceRight<number[][]>((sets, place) => [[], ...sets.map((set) => [place, ...set]), ...sets.slice(1)], [[]]);
