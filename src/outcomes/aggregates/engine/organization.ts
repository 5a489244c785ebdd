// An organization whose schools are out already (contract 70 §5, rule 5): only its own counts can still be hidden. Sets of
// them are tried, those that hide fewest students first, and at last all of them. The proof stands in docs/protection.md.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { type Cell, isTooNarrow, protectedCells } from './audit.ts';
import { hidesEnough, mostTried, setsOf } from './hiding.ts';
import { Network } from './network.ts';
import {
  countedSchools,
  organizationUnit,
  type ProtectionRules,
  type Published,
  type ShownCounts,
  shown,
  type Unit,
} from './units.ts';

/** Takes the classes that were counted when their schools were published, whatever is counted by now. */
export const protectOrganization = (published: Published, rules: ProtectionRules): ShownCounts =>
  shown(organizationAfter(published, rules)?.organization, rules);

export interface OrganizationAfter {
  readonly organization: Unit;
  /** Students whom it would hide if its schools asked for nothing. */
  readonly least: number;
}

/** Undefined where nobody was counted. */
export function organizationAfter(
  { schools, shown: parts }: Published,
  rules: ProtectionRules,
): OrganizationAfter | undefined {
  const counted = countedSchools(schools, rules, 0);
  if (counted.length === 0) return undefined;
  const organization = organizationUnit(counted, rules);
  const classes = counted.flatMap((school) => school.parts);
  for (const school of counted) hideAsShown(school, parts.schools[school.id], rules);
  for (const one of classes) hideAsShown(one, parts.classes[one.id], rules);
  const units = [organization, ...counted, ...classes];
  const narrow = (cells: readonly Cell[]) => {
    const network = networkOf(units);
    return cells.filter((cell) => isTooNarrow(cell, { network, rules }));
  };
  const endangered = narrow([...counted, ...classes].flatMap((unit) => protectedCells(unit, rules)));
  const choices = choicesOf(organization, rules);
  for (const places of choices) {
    hideExactly(organization, places);
    if (narrow([...protectedCells(organization, rules), ...endangered]).length === 0) break;
  }
  return { organization, least: studentsIn(organization, choices[0] ?? []) };
}

function hideAsShown(unit: Unit, row: ShownCounts | undefined, { bands }: ProtectionRules): void {
  hideExactly(
    unit,
    bands.flatMap((band, place) => (row?.[band] === null ? [place] : [])),
  );
}

function hideExactly(unit: Unit, places: readonly number[]): void {
  for (const place of unit.hidden.keys()) unit.hidden[place] = places.includes(place);
}

function networkOf(units: readonly Unit[]): Network {
  const network = new Network(units);
  for (const unit of units)
    for (const [place, isHidden] of unit.hidden.entries()) if (isHidden) network.free(unit, place);
  return network;
}

/** What rules 1 and 2 allow to hide: fewest students first, then fewest bands, then by the order of bands. The last is all. */
function choicesOf(unit: Unit, rules: ProtectionRules): number[][] {
  const places = [...unit.counts.keys()];
  const small = places.filter((place) => (unit.counts[place] ?? 0) < rules.threshold);
  const large = places.filter((place) => !small.includes(place));
  // Where one count is hidden all small ones are.
  const choices = [[], ...setsOf(large).map((more) => [...small, ...more])].filter((choice) => {
    hideExactly(unit, choice);
    return hidesEnough(unit, rules);
  });
  hideExactly(unit, []);
  const sorted = choices.toSorted(
    (one, other) => studentsIn(unit, one) - studentsIn(unit, other) || one.length - other.length,
  );
  const most = mostTried(rules);
  return [...sorted.slice(0, most), ...sorted.slice(most).slice(-1)];
}

const studentsIn = ({ counts }: Unit, places: readonly number[]): number =>
  sum(places.map((place) => counts[place] ?? 0));
