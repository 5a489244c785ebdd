// Protects an organization whose schools are published already (contract 70 §5, rule 5): only its own counts can still
// be suppressed. Sets of them are tried, those that suppress fewest students first, and all of them last.
// docs/protection.md has the proof.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { type CountedCell, isTooNarrow, protectedCells } from './audit.ts';
import { Network } from './network.ts';
import { isSuppressedEnough, mostTried, setsOf } from './suppression.ts';
import {
  countedSchools,
  organizationUnit,
  type ProtectionRules,
  type PublishedSchools,
  type ShownCounts,
  shown,
  type Unit,
} from './units.ts';

/** Uses the classes as they were counted when their schools were published, not as they are now. */
export const protectOrganization = (published: PublishedSchools, rules: ProtectionRules): ShownCounts =>
  shown(organizationAfter(published, rules)?.organization, rules);

export interface OrganizationAfter {
  readonly organization: Unit;
  /** Number of students that the organization would suppress if its schools required nothing. */
  readonly least: number;
}

/** Returns undefined when no student was counted. */
export function organizationAfter(
  { schools, shown: parts }: PublishedSchools,
  rules: ProtectionRules,
): OrganizationAfter | undefined {
  const counted = countedSchools(schools, rules, 0);
  if (counted.length === 0) return undefined;
  const organization = organizationUnit(counted, rules);
  const classes = counted.flatMap((school) => school.parts);
  for (const school of counted) suppressAsPublished(school, parts.schools[school.id], rules);
  for (const one of classes) suppressAsPublished(one, parts.classes[one.id], rules);
  const units = [organization, ...counted, ...classes];
  const narrow = (cells: readonly CountedCell[]) => {
    const network = networkOf(units);
    return cells.filter((cell) => isTooNarrow(cell, { network, rules }));
  };
  const endangered = narrow([...counted, ...classes].flatMap((unit) => protectedCells(unit, rules)));
  const choices = choicesOf(organization, rules);
  for (const bandIndexes of choices) {
    suppressExactly(organization, bandIndexes);
    if (narrow([...protectedCells(organization, rules), ...endangered]).length === 0) break;
  }
  return { organization, least: studentsIn(organization, choices[0] ?? []) };
}

function suppressAsPublished(unit: Unit, row: ShownCounts | undefined, { bands }: ProtectionRules): void {
  suppressExactly(
    unit,
    bands.flatMap((band, bandIndex) => (row?.[band] === null ? [bandIndex] : [])),
  );
}

function suppressExactly(unit: Unit, bandIndexes: readonly number[]): void {
  for (const bandIndex of unit.suppressed.keys()) unit.suppressed[bandIndex] = bandIndexes.includes(bandIndex);
}

function networkOf(units: readonly Unit[]): Network {
  const network = new Network(units);
  for (const unit of units)
    for (const [bandIndex, isSuppressed] of unit.suppressed.entries()) if (isSuppressed) network.free(unit, bandIndex);
  return network;
}

/**
 * Returns the sets of bands that rules 1 and 2 allow: fewest students first, then fewest bands, then by the order of
 * bands. The last set is all bands.
 */
function choicesOf(unit: Unit, rules: ProtectionRules): number[][] {
  const bandIndexes = [...unit.counts.keys()];
  const small = bandIndexes.filter((bandIndex) => (unit.counts[bandIndex] ?? 0) < rules.threshold);
  const large = bandIndexes.filter((bandIndex) => !small.includes(bandIndex));
  // If one count is suppressed, all small ones are.
  const choices = [[], ...setsOf(large).map((more) => [...small, ...more])].filter((choice) => {
    suppressExactly(unit, choice);
    return isSuppressedEnough(unit, rules);
  });
  suppressExactly(unit, []);
  const sorted = choices.toSorted(
    (one, other) => studentsIn(unit, one) - studentsIn(unit, other) || one.length - other.length,
  );
  const most = mostTried(rules);
  return [...sorted.slice(0, most), ...sorted.slice(most).slice(-1)];
}

const studentsIn = ({ counts }: Unit, bandIndexes: readonly number[]): number =>
  sum(bandIndexes.map((bandIndex) => counts[bandIndex] ?? 0));
