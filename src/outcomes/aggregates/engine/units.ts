// Classes, schools and an organization as the protection engine sees them: counts of bands, and which of them are
// suppressed.
import { sum } from '#core/platform/pure/lists/sum.ts';

/** The protection rules of one statistic. `bands`: equal counts are suppressed in this order. */
export interface ProtectionRules {
  readonly bands: readonly string[];
  /** A unit whose students are all in one of these bands shows nothing. */
  readonly neverAlone: readonly string[];
  /** Counts of 1 to `threshold` - 1 are never shown nor derivable; classes with fewer students are not counted. */
  readonly threshold: number;
  /**
   * Minimum difference of the largest and the smallest possible value of a suppressed count of 1 to `threshold` - 1.
   */
  readonly width: number;
}

export type Counts = Readonly<Record<string, number>>;
/** Null means suppressed. */
export type ShownCounts = Readonly<Record<string, number | null>>;

/** Keys are ids of schools or classes. */
type ShownById = Readonly<Record<string, ShownCounts>>;

export interface ShownParts {
  readonly schools: ShownById;
  readonly classes: ShownById;
}

export interface ClassCounts {
  readonly id: string;
  readonly counts: Counts;
}

export interface SchoolCounts {
  readonly id: string;
  readonly classes: readonly ClassCounts[];
  /** The minimum number of counted children in each band that is public knowledge outside the cells. */
  readonly atLeast?: Counts;
}

/** Published schools: what was counted for them at that time, and what was shown. */
export interface PublishedSchools {
  readonly schools: readonly SchoolCounts[];
  readonly shown: ShownParts;
}

export type UnitLevel = 'organization' | 'school' | 'class';

export interface Unit {
  readonly level: UnitLevel;
  readonly id: string;
  /** Indexed like `ProtectionRules.bands`. */
  readonly counts: readonly number[];
  readonly suppressed: boolean[];
  readonly atLeast: readonly number[];
  readonly students: number;
  readonly parts: readonly Unit[];
  above?: Unit;
}

/** Sorts by id, so that results do not depend on the input order. */
export const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));

/** Leaves out classes that are too small, and schools that have no other classes (rule 1). */
export function countedSchools(
  schools: readonly SchoolCounts[],
  rules: ProtectionRules,
  fewest: number = rules.threshold,
): Unit[] {
  return byId(schools).flatMap(({ id, classes, atLeast = {} }) => {
    const counted = byId(classes)
      .map((one) => classUnit(one, rules))
      .filter(({ students }) => students >= fewest);
    return counted.length === 0 ? [] : [unitOf('school', id, counted, rules, atLeast)];
  });
}

export const organizationUnit = (schools: readonly Unit[], rules: ProtectionRules): Unit =>
  unitOf('organization', '', schools, rules, {});

function classUnit({ id, counts }: ClassCounts, { bands }: ProtectionRules): Unit {
  const numbers = bands.map((band) => counts[band] ?? 0);
  return { ...blank(numbers), level: 'class', id, parts: [], atLeast: bands.map(() => 0) };
}

function unitOf(level: UnitLevel, id: string, parts: readonly Unit[], rules: ProtectionRules, atLeast: Counts): Unit {
  const numbers = rules.bands.map((_, bandIndex) => sum(parts.map(({ counts }) => counts[bandIndex] ?? 0)));
  const known = rules.bands.map((band) => atLeast[band] ?? 0);
  const unit: Unit = { ...blank(numbers), level, id, parts, atLeast: known };
  for (const part of parts) part.above = unit;
  return unit;
}

const blank = (counts: readonly number[]) => ({ counts, suppressed: counts.map(() => false), students: sum(counts) });

/** Returns what is shown of a unit; a unit that is not counted shows nothing. */
export const shown = (unit: Unit | undefined, { bands }: ProtectionRules): ShownCounts =>
  Object.fromEntries(
    bands.map((band, bandIndex) => [band, unit && !unit.suppressed[bandIndex] ? (unit.counts[bandIndex] ?? 0) : null]),
  );

export const suppressedStudents = (units: readonly Unit[]): number =>
  sum(units.map(({ counts, suppressed }) => sum(counts.filter((_, bandIndex) => suppressed[bandIndex]))));
