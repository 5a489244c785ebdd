// Rule 4 of protection (contract 70 §5): hides on until no hidden count of 1 to 4 is known too narrowly. Hiding more only ever
// widens what is possible, so that a count that was found safe stays safe and is asked about once.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { type Hiding, smallestFirst } from './hiding.ts';
import type { Network } from './network.ts';
import type { ProtectionRules, Unit } from './units.ts';

export interface Audited {
  readonly network: Network;
  readonly hiding: Hiding;
  readonly rules: ProtectionRules;
  /** Where more may be hidden for the sake of a unit, nearest first. */
  readonly roomFor: (unit: Unit) => readonly (readonly Unit[])[];
}

export interface Cell {
  readonly unit: Unit;
  readonly place: number;
}

/** `units`: those above before their parts, for what they hide is hidden below. */
export function audit(units: readonly Unit[], audited: Audited): void {
  for (const unit of units)
    for (const cell of protectedCells(unit, audited.rules))
      while (isTooNarrow(cell, audited) && hideNext(unit, audited));
}

/** Hidden counts of 1 to `threshold` - 1. */
export const protectedCells = (unit: Unit, { threshold }: ProtectionRules): Cell[] =>
  unit.counts.flatMap((count, place) =>
    unit.hidden[place] && count > 0 && count < threshold ? [{ unit, place }] : [],
  );

export function isTooNarrow({ unit, place }: Cell, { network, rules }: Pick<Audited, 'network' | 'rules'>): boolean {
  const need = Math.min(rules.width, knownToNobody(unit));
  return network.spread(unit, place, need) < need;
}

/** Students of whom nothing is known beside the cells: where they are few, hiding everything leaves no more to guess. */
function knownToNobody(unit: Unit): number {
  if (unit.level === 'class') return Math.min(unit.students, unit.above ? knownToNobody(unit.above) : unit.students);
  if (unit.level === 'organization') return sum(unit.parts.map(knownToNobody));
  return unit.students - sum(unit.atLeast);
}

/** The smallest shown count of the nearest room that has one: equal ones by band, then by id. False: all is hidden. */
function hideNext(unit: Unit, { hiding, roomFor }: Audited): boolean {
  for (const room of roomFor(unit)) {
    const next = smallestShown(room);
    if (!next) continue;
    hiding.hide(next.unit, next.place);
    return true;
  }
  return false;
}

function smallestShown(units: readonly Unit[]): Cell | undefined {
  let found: Cell | undefined;
  for (const unit of units) {
    const [place] = smallestFirst(
      unit,
      unit.hidden.flatMap((isHidden, at) => (isHidden ? [] : [at])),
    );
    if (place !== undefined && (found === undefined || isBefore({ unit, place }, found))) found = { unit, place };
  }
  return found;
}

/** Units come in the order of their ids. */
function isBefore(one: Cell, other: Cell): boolean {
  const difference = (one.unit.counts[one.place] ?? 0) - (other.unit.counts[other.place] ?? 0);
  return difference < 0 || (difference === 0 && one.place < other.place);
}
