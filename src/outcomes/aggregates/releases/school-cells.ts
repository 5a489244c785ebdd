// Builds the shown cells of a school and its classes, and the underlying counts from which the organization is computed
// later.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { protectSchool } from '../engine/school.ts';
import type { ProtectionRules, PublishedSchools } from '../engine/units.ts';
import type { CountedSchool } from './count-school.ts';
import type { PublishedBySubject } from './published-schools.ts';
import type { ClassCount, NewCell } from './rows/publish.ts';
import { unmeasuredIn } from './statistics/statistic-kind.ts';

export interface SchoolContent {
  readonly cells: readonly NewCell[];
  readonly counts: readonly ClassCount[];
}

type Subject = CountedSchool['subjects'][number];

export function schoolContentOf(school: CountedSchool, publishedBySubject: PublishedBySubject): SchoolContent {
  const parts = school.subjects.map((subject) =>
    contentOfSubject(school, subject, publishedBySubject({ space: subject.kind.space, subject: subject.subject })),
  );
  return { cells: parts.flatMap(({ cells }) => cells), counts: parts.flatMap(({ counts }) => counts) };
}

function contentOfSubject(school: CountedSchool, subject: Subject, out: PublishedSchools): SchoolContent {
  const rules = subject.kind.protection(school.rules);
  const counts = countsOf(school, subject).filter((one) => studentsIn(one.counts) >= rules.threshold);
  return { counts, cells: cellsOf(school, { subject, counts, rules, out }) };
}

function countsOf({ season, classes }: CountedSchool, { kind, subject, classes: published }: Subject): ClassCount[] {
  const byId = new Map(classes.map((one) => [one.classId, one]));
  return published.map(({ classId, counts }) => {
    const ofClass = byId.get(classId);
    const unmeasured = kind.ofUnmeasured && ofClass ? unmeasuredIn(ofClass, season.season) : 0;
    return { classId, space: kind.space, subject, counts, unmeasured };
  });
}

interface Counted {
  readonly subject: Subject;
  readonly counts: readonly ClassCount[];
  readonly rules: ProtectionRules;
  readonly out: PublishedSchools;
}

function cellsOf({ schoolId, classes }: CountedSchool, { subject: of, counts, rules, out }: Counted): NewCell[] {
  const shown = protectSchool(
    {
      id: schoolId,
      classes: counts.map(({ classId, counts: own }) => ({ id: String(classId), counts: own })),
      ...(of.kind.ofUnmeasured && { atLeast: { [of.kind.ofUnmeasured]: sum(counts.map((one) => one.unmeasured)) } }),
    },
    rules,
    out,
  );
  const students = new Map(counts.map(({ classId, counts: own }) => [classId, studentsIn(own)] as const));
  const asked = new Set(of.classes.map(({ classId }) => classId));
  const named = { space: of.kind.space, subject: of.subject };
  const school = asked.size === 0 ? allOf(rules, 0) : (shown.schools[schoolId] ?? allOf(rules, null));
  return [
    { ...named, unit: 'school', unitId: schoolId, students: sum([...students.values()]), counts: school },
    ...classes.map(({ classId }): NewCell => {
      const own = asked.has(classId) ? (shown.classes[String(classId)] ?? allOf(rules, null)) : allOf(rules, 0);
      return { ...named, unit: 'class', unitId: String(classId), students: students.get(classId) ?? 0, counts: own };
    }),
  ];
}

/** Zero students are shown as 0; too few students are suppressed. */
const allOf = ({ bands }: ProtectionRules, count: 0 | null) => Object.fromEntries(bands.map((band) => [band, count]));

const studentsIn = (counts: Readonly<Record<string, number>>): number => sum(Object.values(counts));
