// A school with its classes, which is published before its organization. It hides what rules 1 to 4 ask of it alone, and more
// only where the organization, which comes after it, would have to hide more students than that.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { mostTried, setsOf } from './hiding.ts';
import { organizationAfter } from './organization.ts';
import { protect, shownOf } from './protect.ts';
import {
  countedSchools,
  hiddenStudents,
  type ProtectionRules,
  type Published,
  type SchoolCounts,
  type ShownParts,
  type Unit,
} from './units.ts';

interface Way {
  readonly shown: ShownParts;
  /** Hidden ones, in the school and in its classes. */
  readonly students: number;
  /** The school; undefined where nobody is counted. */
  readonly unit: Unit | undefined;
}

const nothing: Published = { schools: [], shown: { schools: {}, classes: {} } };

/** `out`: schools of the organization that were published before, or the newest of them: the more, the less is hidden. */
export function protectSchool(school: SchoolCounts, rules: ProtectionRules, out: Published = nothing): ShownParts {
  const total = (way: Way) => withOrganization(way, school, rules, out);
  const alone = protectedWay(school, rules, []);
  const { students: first, least } = total(alone);
  let best = { way: alone, students: first };
  for (const { places, students: fewest } of first > alone.students + least ? setsBeside(alone, rules) : []) {
    if (fewest + least >= best.students) break;
    const way = protectedWay(school, rules, places);
    const { students } = total(way);
    if (students < best.students) best = { way, students };
  }
  return best.way.shown;
}

/** What may be hidden beyond what the school needs alone, and how many students both hide at least. */
function setsBeside(
  { unit }: Way,
  rules: ProtectionRules,
): { readonly places: readonly number[]; readonly students: number }[] {
  if (!unit) return [];
  const more = unit.counts.flatMap((count, place) => (unit.hidden[place] || count === 0 ? [] : [place]));
  const hidden = hiddenStudents([unit]);
  // Twice, for what a school hides its classes hide too.
  const students = (places: readonly number[]) => 2 * (hidden + sum(places.map((place) => unit.counts[place] ?? 0)));
  const sets = setsOf(more)
    .slice(1)
    .map((places) => ({ places, students: students(places) }));
  return sets.toSorted((one, other) => one.students - other.students).slice(0, mostTried(rules));
}

function protectedWay(school: SchoolCounts, rules: ProtectionRules, more: readonly number[]): Way {
  const counted = countedSchools([school], rules);
  const units = counted.flatMap((unit) => [unit, ...unit.parts]);
  for (const unit of counted) protect(unit, units, rules, more);
  return {
    shown: shownOf([school], counted, rules),
    students: hiddenStudents(units),
    unit: counted[0],
  };
}

/** Students who are hidden in the school, its classes and the organization, if that were published next. */
function withOrganization(way: Way, school: SchoolCounts, rules: ProtectionRules, out: Published) {
  const classes = school.classes.filter(({ counts }) => sum(Object.values(counts)) >= rules.threshold);
  const published = {
    schools: [...out.schools, { ...school, classes }],
    shown: {
      schools: { ...out.shown.schools, ...way.shown.schools },
      classes: { ...out.shown.classes, ...way.shown.classes },
    },
  };
  const after = organizationAfter(published, rules);
  const hidden = after ? hiddenStudents([after.organization]) : 0;
  return { students: way.students + hidden, least: after?.least ?? 0 };
}
