// What may be shown of one space of cells, so that no small number of children can be read from it, however its numbers are
// set against each other (contract 70 §5). The proof stands in docs/protection.md.
import { audit } from './audit.ts';
import { hidingBy } from './hiding.ts';
import { Network } from './network.ts';
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

/** An organization with its schools and classes, all shown at once. */
export function protectTogether(schools: readonly SchoolCounts[], rules: ProtectionRules): Protected {
  const counted = countedSchools(schools, rules);
  const organization = organizationUnit(counted, rules);
  const units = [organization, ...counted, ...counted.flatMap(({ parts }) => parts)];
  protect(organization, units, rules);
  return {
    organization: shown(counted.length > 0 ? organization : undefined, rules),
    ...shownOf(schools, counted, rules),
  };
}

/** Rules 1 to 4 of a unit and all below it, with `more` hidden of the unit from the first. */
export function protect(top: Unit, units: readonly Unit[], rules: ProtectionRules, more: readonly number[] = []): void {
  const network = new Network(units);
  const hiding = hidingBy(rules, (unit, place) => network.free(unit, place));
  hiding.settle(top);
  for (const place of more) hiding.hide(top, place);
  audit(units, { network, hiding, rules, roomFor: roomIn });
}

/** The unit, its siblings, and so on for all above it. */
function roomIn(unit: Unit): Unit[][] {
  const siblings = unit.above?.parts.filter((part) => part !== unit) ?? [];
  return [[unit], siblings, ...(unit.above ? roomAbove(unit.above) : [])];
}

const roomAbove = (unit: Unit): Unit[][] => [
  [...(unit.above?.parts ?? [unit])],
  ...(unit.above ? roomAbove(unit.above) : []),
];

/** Units that are not counted say nothing. */
export function shownOf(
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
