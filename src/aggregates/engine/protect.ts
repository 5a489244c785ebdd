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
  shown,
  type Unit,
} from './units.ts';

/** By id. */
type ShownById = Readonly<Record<string, ShownCounts>>;

export interface Protected {
  readonly organization: ShownCounts;
  readonly schools: ShownById;
  readonly classes: ShownById;
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

/** A school with its classes, of whose organization nothing is shown. */
export function protectSchool(school: SchoolCounts, rules: ProtectionRules): Omit<Protected, 'organization'> {
  const counted = countedSchools([school], rules);
  for (const unit of counted) protect(unit, [unit, ...unit.parts], rules);
  return shownOf([school], counted, rules);
}

function protect(top: Unit, units: readonly Unit[], rules: ProtectionRules): void {
  const network = new Network(units);
  const hiding = hidingBy(rules, (unit, place) => network.free(unit, place));
  hiding.settle(top);
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

/**
 * An organization whose schools were shown already: only its own counts are hidden, as many as what is out needs. All of
 * them are enough, for each school was safe alone. Takes the classes that were counted then, whatever is counted by now.
 */
export function protectOrganization(
  schools: readonly SchoolCounts[],
  published: Omit<Protected, 'organization'>,
  rules: ProtectionRules,
): ShownCounts {
  const counted = countedSchools(schools, rules, 0);
  if (counted.length === 0) return shown(undefined, rules);
  const organization = organizationUnit(counted, rules);
  const classes = counted.flatMap(({ parts }) => parts);
  const units = [organization, ...counted, ...classes];
  const network = new Network(units);
  const freeHidden = (unit: Unit, row: ShownCounts | undefined) =>
    rules.bands.forEach((band, place) => {
      if (row?.[band] !== null) return;
      unit.hidden[place] = true;
      network.free(unit, place);
    });
  for (const school of counted) freeHidden(school, published.schools[school.id]);
  for (const one of classes) freeHidden(one, published.classes[one.id]);
  const alone = { ...organization, parts: [] };
  const hiding = hidingBy(rules, (_, place) => network.free(organization, place));
  hiding.settle(alone);
  audit(units, { network, hiding, rules, roomFor: () => [[alone]] });
  return shown(alone, rules);
}

/** Units that are not counted say nothing. */
function shownOf(schools: readonly SchoolCounts[], counted: readonly Unit[], rules: ProtectionRules) {
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
