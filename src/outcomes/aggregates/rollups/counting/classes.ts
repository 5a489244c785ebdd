// Counts classes in batches, so that memory does not grow with the organization.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { countingCatalogue } from '../../catalogue.ts';
import type { Season } from '../../enums.ts';
import { type ClassCounts, type CountedClass, type CountedStudent, countClass } from './count.ts';
import { schoolYearAt, schoolYearNamed } from './school-years.ts';
import { studentsOf } from './students.ts';

export interface CountQuestion {
  readonly organizationId: string;
  readonly classIds: readonly number[];
  readonly rules: RuleBundle;
  readonly now: Date;
  /** The season of a release; the current school year by default. */
  readonly of?: { readonly schoolYear: string; readonly season: Season };
}

export interface ClassMembers {
  readonly ofClass: CountedClass;
  readonly students: readonly CountedStudent[];
}

/** Returns counts of the classes that have students. */
export async function countClasses(trx: Trx, question: CountQuestion): Promise<ClassCounts[]> {
  return countMembers(await membersOf(trx, question), question);
}

export function countMembers(
  members: readonly ClassMembers[],
  { rules, of }: Pick<CountQuestion, 'rules' | 'of'>,
): ClassCounts[] {
  const { tiles } = countingCatalogue(rules);
  return members.map(({ ofClass, students }) => countClass(ofClass, students, tiles, of?.season));
}

/** Returns the students of the classes that have any. */
export async function membersOf(trx: Trx, question: CountQuestion): Promise<ClassMembers[]> {
  const { organizationId, classIds, rules, now, of } = question;
  const start = countingCatalogue(rules).calendar.schoolYear;
  const contexts = await enrolledClassesOf(trx, organizationId, classIds);
  const classes = contexts.map(({ classId, timeZone }) => ({
    ...{ classId, timeZone },
    ...(of ? schoolYearNamed(of.schoolYear, timeZone, start) : schoolYearAt(now, timeZone, start)),
  }));
  const students = await studentsOf(trx, { organizationId, classes, rules, now });
  return contexts.flatMap(({ timeZone: _, ...ofClass }) => {
    const own = students.get(ofClass.classId);
    return own ? { ofClass, students: own } : [];
  });
}

type ClassContext = CountedClass & { readonly timeZone: string };

const enrolledClassesOf = (trx: Trx, organizationId: string, classIds: readonly number[]): Promise<ClassContext[]> =>
  rowsOf(
    trx,
    `select c.id as class_id, c.school_id, c.grade, coalesce(s.time_zone, o.time_zone) as time_zone
     from class c
     join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = any(:classIds::bigint[])
     order by c.id`,
    { organizationId, classIds: [...classIds] },
  );
