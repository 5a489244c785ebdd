// Protects a school with its classes, which is published before its organization. It suppresses what rules 1 to 4
// require of it alone, and more only where the organization, which is published later, would otherwise have to suppress
// more students.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { organizationAfter } from './organization.ts';
import { protect, shownPartsOf } from './protect.ts';
import { mostTried, setsOf } from './suppression.ts';
import {
  countedSchools,
  type ProtectionRules,
  type PublishedSchools,
  type SchoolCounts,
  type ShownParts,
  suppressedStudents,
  type Unit,
} from './units.ts';

interface Variant {
  readonly shown: ShownParts;
  /** Number of suppressed students, in the school and in its classes. */
  readonly students: number;
  /** The school; undefined when no student is counted. */
  readonly unit: Unit | undefined;
}

const nothing: PublishedSchools = { schools: [], shown: { schools: {}, classes: {} } };

/**
 * `published`: schools of the organization that were published before, or the newest of them. The more of them, the
 * less is suppressed.
 */
export function protectSchool(
  school: SchoolCounts,
  rules: ProtectionRules,
  published: PublishedSchools = nothing,
): ShownParts {
  const total = (variant: Variant) => studentsWithOrganization(variant, school, rules, published);
  const alone = protectedVariant(school, rules, []);
  const { students: first, least } = total(alone);
  let best = { variant: alone, students: first };
  for (const { bandIndexes, students: fewest } of first > alone.students + least ? additionalSets(alone, rules) : []) {
    if (fewest + least >= best.students) break;
    const variant = protectedVariant(school, rules, bandIndexes);
    const { students } = total(variant);
    if (students < best.students) best = { variant, students };
  }
  return best.variant.shown;
}

/**
 * Returns the sets of bands that could be suppressed beyond what the school needs alone, with the minimum number of
 * suppressed students of each set.
 */
function additionalSets(
  { unit }: Variant,
  rules: ProtectionRules,
): { readonly bandIndexes: readonly number[]; readonly students: number }[] {
  if (!unit) return [];
  const more = unit.counts.flatMap((count, bandIndex) =>
    unit.suppressed[bandIndex] || count === 0 ? [] : [bandIndex],
  );
  const suppressed = suppressedStudents([unit]);
  // Twice, because the classes suppress what the school suppresses.
  const students = (bandIndexes: readonly number[]) =>
    2 * (suppressed + sum(bandIndexes.map((bandIndex) => unit.counts[bandIndex] ?? 0)));
  const sets = setsOf(more)
    .slice(1)
    .map((bandIndexes) => ({ bandIndexes, students: students(bandIndexes) }));
  return sets.toSorted((one, other) => one.students - other.students).slice(0, mostTried(rules));
}

function protectedVariant(school: SchoolCounts, rules: ProtectionRules, more: readonly number[]): Variant {
  const counted = countedSchools([school], rules);
  const units = counted.flatMap((unit) => [unit, ...unit.parts]);
  for (const unit of counted) protect(unit, units, rules, more);
  return {
    shown: shownPartsOf([school], counted, rules),
    students: suppressedStudents(units),
    unit: counted[0],
  };
}

/**
 * Returns the number of students suppressed in the school, its classes and the organization, if the organization were
 * published next.
 */
function studentsWithOrganization(
  variant: Variant,
  school: SchoolCounts,
  rules: ProtectionRules,
  published: PublishedSchools,
) {
  const classes = school.classes.filter(({ counts }) => sum(Object.values(counts)) >= rules.threshold);
  const withSchool = {
    schools: [...published.schools, { ...school, classes }],
    shown: {
      schools: { ...published.shown.schools, ...variant.shown.schools },
      classes: { ...published.shown.classes, ...variant.shown.classes },
    },
  };
  const after = organizationAfter(withSchool, rules);
  const suppressed = after ? suppressedStudents([after.organization]) : 0;
  return { students: variant.students + suppressed, least: after?.least ?? 0 };
}
