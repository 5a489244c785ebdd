// Decides what may be shown of one statistic, so that no small number of children can be derived from it by comparing
// its numbers (contract 70 §5). docs/protection.md has the proof.
import { audit } from './audit.ts';
import { Network } from './network.ts';
import { createSuppression } from './suppression.ts';
import {
  byId,
  countedSchools,
  organizationUnit,
  type ProtectionRules,
  type SchoolCounts,
  type ShownCounts,
  type ShownParts,
  shown,
  type Unit,
} from './units.ts';

export interface Protected extends ShownParts {
  readonly organization: ShownCounts;
}

/** Protects an organization with its schools and classes, published together. */
export function protectTogether(schools: readonly SchoolCounts[], rules: ProtectionRules): Protected {
  const counted = countedSchools(schools, rules);
  const organization = organizationUnit(counted, rules);
  const units = [organization, ...counted, ...counted.flatMap(({ parts }) => parts)];
  protect(organization, units, rules);
  return {
    organization: shown(counted.length > 0 ? organization : undefined, rules),
    ...shownPartsOf(schools, counted, rules),
  };
}

/**
 * Applies rules 1 to 4 to a unit and all units below it. `more`: bands of the unit that are suppressed from the start.
 */
export function protect(top: Unit, units: readonly Unit[], rules: ProtectionRules, more: readonly number[] = []): void {
  const network = new Network(units);
  const suppression = createSuppression(rules, (unit, bandIndex) => network.free(unit, bandIndex));
  suppression.suppressUnit(top);
  for (const bandIndex of more) suppression.suppressBand(top, bandIndex);
  audit(units, { network, suppression, rules, candidatesFor: candidatesOf });
}

/** Returns the unit, its siblings, and so on for all units above it. */
function candidatesOf(unit: Unit): Unit[][] {
  const siblings = unit.above?.parts.filter((part) => part !== unit) ?? [];
  return [[unit], siblings, ...(unit.above ? candidatesAbove(unit.above) : [])];
}

const candidatesAbove = (unit: Unit): Unit[][] => [
  [...(unit.above?.parts ?? [unit])],
  ...(unit.above ? candidatesAbove(unit.above) : []),
];

/** Units that are not counted show nothing. */
export function shownPartsOf(
  schools: readonly SchoolCounts[],
  counted: readonly Unit[],
  rules: ProtectionRules,
): ShownParts {
  const schoolUnits = new Map(counted.map((unit) => [unit.id, unit]));
  const classUnits = new Map(counted.flatMap(({ parts }) => parts.map((unit) => [unit.id, unit] as const)));
  const rows = (ids: readonly string[], units: ReadonlyMap<string, Unit>) =>
    Object.fromEntries(ids.map((id) => [id, shown(units.get(id), rules)]));
  return {
    schools: rows(
      byId(schools).map(({ id }) => id),
      schoolUnits,
    ),
    classes: rows(
      byId(schools.flatMap(({ classes }) => classes)).map(({ id }) => id),
      classUnits,
    ),
  };
}
