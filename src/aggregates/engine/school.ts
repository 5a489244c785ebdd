// A school with its classes, which is published before its organization. It hides what rules 1 to 4 ask of it alone, and more
// only where the organization, which comes after it, would have to hide more students than that.
import { setsOf } from './hiding.ts';
import { organizationAfter } from './organization.ts';
import { protect, shownOf } from './protect.ts';
import {
  countedSchools,
  hiddenStudents,
  type ProtectionRules,
  type Published,
  type SchoolCounts,
  type ShownParts,
  sum,
} from './units.ts';

interface Way {
  readonly shown: ShownParts;
  /** Hidden ones, in the school and in its classes. */
  readonly students: number;
  /** Of the school. */
  readonly hidden: readonly boolean[];
}

const nothing: Published = { schools: [], shown: { schools: {}, classes: {} } };

/** `out`: schools of the organization that were published before, or the newest of them: the more, the less is hidden. */
export function protectSchool(school: SchoolCounts, rules: ProtectionRules, out: Published = nothing): ShownParts {
  const total = (way: Way) => withOrganization(way, school, rules, out);
  const alone = protectedWay(school, rules, []);
  const { students: first, least } = total(alone);
  let best = { way: alone, students: first };
  const ways = first > alone.students + least ? waysBeside(alone, school, rules) : [];
  for (const way of ways) {
    if (way.students + least >= best.students) break;
    const { students } = total(way);
    if (students < best.students) best = { way, students };
  }
  return best.way.shown;
}

/** With more hidden than the school needs alone, the cheapest first. */
function waysBeside({ hidden }: Way, school: SchoolCounts, rules: ProtectionRules): Way[] {
  const places = hidden.flatMap((isHidden, place) => (isHidden ? [] : [place]));
  const ways = setsOf(places).map((more) => protectedWay(school, rules, more));
  return ways.slice(1).toSorted((one, other) => one.students - other.students);
}

function protectedWay(school: SchoolCounts, rules: ProtectionRules, more: readonly number[]): Way {
  const counted = countedSchools([school], rules);
  const units = counted.flatMap((unit) => [unit, ...unit.parts]);
  for (const unit of counted) protect(unit, units, rules, more);
  return {
    shown: shownOf([school], counted, rules),
    students: hiddenStudents(units),
    hidden: counted[0]?.hidden ?? [],
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
