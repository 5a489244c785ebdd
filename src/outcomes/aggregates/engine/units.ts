// Classes, schools and an organization as the engine of protection sees them: counts of bands, and which of them are hidden.
import { sum } from '#core/platform/pure/lists/sum.ts';

/** What one space of cells is protected by. Bands in the order in which equal counts are hidden. */
export interface ProtectionRules {
  readonly bands: readonly string[];
  /** A unit whose students are all in one of these says nothing. */
  readonly neverAlone: readonly string[];
  /** Counts from 1 to one less are never shown or found out; classes with fewer students are not counted. */
  readonly threshold: number;
  /** Between the smallest and the largest value that a hidden count of 1 to `threshold` - 1 may have there is this much. */
  readonly width: number;
}

export type Counts = Readonly<Record<string, number>>;
/** Null: hidden. */
export type ShownCounts = Readonly<Record<string, number | null>>;

/** By id of the school or class. */
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
  /** Of counted children, what anybody may know beside the cells: so many at least are in the band. */
  readonly atLeast?: Counts;
}

/** Schools that are out: what was counted of them then, and what was shown. */
export interface Published {
  readonly schools: readonly SchoolCounts[];
  readonly shown: ShownParts;
}

export type Level = 'organization' | 'school' | 'class';

export interface Unit {
  readonly level: Level;
  readonly id: string;
  /** By place of the band. */
  readonly counts: readonly number[];
  readonly hidden: boolean[];
  readonly atLeast: readonly number[];
  readonly students: number;
  readonly parts: readonly Unit[];
  above?: Unit;
}

/** By id, so that nothing depends on the order in which they came. */
export const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));

/** Without classes that are too small, and without schools that have no other ones (rule 1). */
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

function unitOf(level: Level, id: string, parts: readonly Unit[], rules: ProtectionRules, atLeast: Counts): Unit {
  const numbers = rules.bands.map((_, place) => sum(parts.map(({ counts }) => counts[place] ?? 0)));
  const known = rules.bands.map((band) => atLeast[band] ?? 0);
  const unit: Unit = { ...blank(numbers), level, id, parts, atLeast: known };
  for (const part of parts) part.above = unit;
  return unit;
}

const blank = (counts: readonly number[]) => ({ counts, hidden: counts.map(() => false), students: sum(counts) });

/** What is shown of a unit; one that is not counted says nothing. */
export const shown = (unit: Unit | undefined, { bands }: ProtectionRules): ShownCounts =>
  Object.fromEntries(
    bands.map((band, place) => [band, unit && !unit.hidden[place] ? (unit.counts[place] ?? 0) : null]),
  );

export const hiddenStudents = (units: readonly Unit[]): number =>
  sum(units.map(({ counts, hidden }) => sum(counts.filter((_, place) => hidden[place]))));
