// Rule 4 of protection (contract 70 §5): suppresses further counts until no suppressed count of 1 to 4 can be narrowed
// down too far. More suppression only widens the possible ranges, so a count that was found safe stays safe and is
// checked once.
import { sum } from '#core/platform/pure/lists/sum.ts';
import type { Network } from './network.ts';
import { type Suppression, smallestFirst } from './suppression.ts';
import type { ProtectionRules, Unit } from './units.ts';

export interface Audited {
  readonly network: Network;
  readonly suppression: Suppression;
  readonly rules: ProtectionRules;
  /** Groups of units in which further counts may be suppressed to protect a unit, nearest first. */
  readonly candidatesFor: (unit: Unit) => readonly (readonly Unit[])[];
}

export interface CountedCell {
  readonly unit: Unit;
  readonly bandIndex: number;
}

/** `units` lists parents before their parts, because suppression propagates downwards. */
export function audit(units: readonly Unit[], audited: Audited): void {
  for (const unit of units)
    for (const cell of protectedCells(unit, audited.rules))
      while (isTooNarrow(cell, audited) && suppressNext(unit, audited));
}

/** Returns the suppressed counts of 1 to `threshold` - 1. */
export const protectedCells = (unit: Unit, { threshold }: ProtectionRules): CountedCell[] =>
  unit.counts.flatMap((count, bandIndex) =>
    unit.suppressed[bandIndex] && count > 0 && count < threshold ? [{ unit, bandIndex }] : [],
  );

export function isTooNarrow(
  { unit, bandIndex }: CountedCell,
  { network, rules }: Pick<Audited, 'network' | 'rules'>,
): boolean {
  const need = Math.min(rules.width, unknownStudents(unit));
  return network.spread(unit, bandIndex, need) < need;
}

/**
 * Returns the number of students about whom nothing is known outside the cells. Where it is small, suppressing
 * everything leaves no more to guess.
 */
function unknownStudents(unit: Unit): number {
  if (unit.level === 'class') return Math.min(unit.students, unit.above ? unknownStudents(unit.above) : unit.students);
  if (unit.level === 'organization') return sum(unit.parts.map(unknownStudents));
  return unit.students - sum(unit.atLeast);
}

/**
 * Suppresses the smallest shown count of the nearest group that has one; ties break by band, then by id. Returns false
 * when everything is suppressed.
 */
function suppressNext(unit: Unit, { suppression, candidatesFor }: Audited): boolean {
  for (const group of candidatesFor(unit)) {
    const next = smallestShown(group);
    if (!next) continue;
    suppression.suppressBand(next.unit, next.bandIndex);
    return true;
  }
  return false;
}

function smallestShown(units: readonly Unit[]): CountedCell | undefined {
  let found: CountedCell | undefined;
  for (const unit of units) {
    const [bandIndex] = smallestFirst(
      unit,
      unit.suppressed.flatMap((isSuppressed, at) => (isSuppressed ? [] : [at])),
    );
    if (bandIndex !== undefined && (found === undefined || isBefore({ unit, bandIndex }, found)))
      found = { unit, bandIndex };
  }
  return found;
}

/** Units are in the order of their ids. */
function isBefore(one: CountedCell, other: CountedCell): boolean {
  const difference = (one.unit.counts[one.bandIndex] ?? 0) - (other.unit.counts[other.bandIndex] ?? 0);
  return difference < 0 || (difference === 0 && one.bandIndex < other.bandIndex);
}
