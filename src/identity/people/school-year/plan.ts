// What a roll-over would do: each class of the old year with its students, and the class of the next grade and year.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import { refuseMerged } from '../students/merged.ts';
import type { RollOverBody } from './schemas.ts';
import { yearAfter } from './years.ts';

export type RollOverInput = Static<typeof RollOverBody>;

export interface SchoolKey {
  readonly organizationId: string;
  readonly schoolId: string;
}

/** The highest grade: its students leave the school. */
const lastGradeOfSchool = 4;

interface ClassOfYear {
  readonly id: number;
  readonly name: string;
  readonly grade: number;
  readonly academicYear: string;
}

interface Member {
  readonly studentId: number;
  readonly classId: number;
}

/** A class of the old year and where its students go. */
export interface RolledClass {
  readonly fromClassId: number;
  /** Null for a class that has to be made, and for one of the last grade. */
  readonly toClassId: number | null;
  readonly isNew: boolean;
  readonly name: string;
  /** The grade of the class of the new year; of the last grade its own. */
  readonly grade: number;
  /** The students who go on, or leave. */
  readonly studentIds: readonly number[];
}

export interface RollOverPlan {
  readonly toYear: string;
  readonly classes: readonly RolledClass[];
  readonly repeating: readonly number[];
  readonly already: number;
}

export const isLeaving = ({ toClassId, isNew }: Pick<RolledClass, 'toClassId' | 'isNew'>): boolean =>
  toClassId === null && !isNew;

/**
 * Throws NOT_FOUND for an unknown class or student; VALIDATION_ERROR `not_unique` for a class that is named twice,
 * `not_in_roll_over` for one of another school or year or an archived one, and for a student of no class of the old year; CONFLICT `merged`; VALIDATION_ERROR
 * `two_into_one` when two classes would become one.
 */
export async function planRollOver(trx: Trx, school: SchoolKey, input: RollOverInput): Promise<RollOverPlan> {
  const toYear = yearAfter(input.fromYear);
  const known = await classesOf(trx, school, [input.fromYear, toYear]);
  const old = known.filter(({ academicYear }) => academicYear === input.fromYear);
  await requireNamedClasses(trx, school, input, old);
  const settings = new Map((input.classes ?? []).map((one) => [one.classId, one]));
  const rolled = old.filter(({ id }) => !settings.get(id)?.skip);
  const members = await membersOf(trx, school, old);
  const already = await alreadyThere(trx, school, rolled, toYear);
  const repeating = await repeatersOf(trx, school, input, [...members.map(({ studentId }) => studentId), ...already]);
  const going = members.filter(({ studentId }) => !repeating.has(studentId));
  const studentsOf = new Map<number, number[]>(old.map(({ id }) => [id, []]));
  for (const { classId, studentId } of going) studentsOf.get(classId)?.push(studentId);
  const targets = targetsOf(known, toYear);
  const classes = rolled.map((from) => {
    const name = settings.get(from.id)?.name ?? from.name;
    return { ...targetOf({ ...from, name }, targets), studentIds: studentsOf.get(from.id) ?? [] };
  });
  requireOneEach(classes);
  const rolledIds = new Set(rolled.map(({ id }) => id));
  const staying = members.filter(({ studentId, classId }) => repeating.has(studentId) && rolledIds.has(classId));
  return { toYear, classes, repeating: staying.map(({ studentId }) => studentId), already: already.length };
}

/** Returns where the students of a class go; `from.name` is the name of the new class. */
function targetOf(from: ClassOfYear, targets: ReadonlyMap<string, ClassOfYear>): Omit<RolledClass, 'studentIds'> {
  const { id: fromClassId, name } = from;
  if (from.grade >= lastGradeOfSchool) return { fromClassId, toClassId: null, isNew: false, name, grade: from.grade };
  const grade = from.grade + 1;
  const to = targets.get(keyOf(grade, name));
  return { fromClassId, toClassId: to?.id ?? null, isNew: to === undefined, name, grade };
}

const keyOf = (grade: number, name: string): string => `${grade} ${name}`;

/** Of several classes with one name the first one is the target. */
function targetsOf(known: readonly ClassOfYear[], toYear: string): ReadonlyMap<string, ClassOfYear> {
  const next = known.filter(({ academicYear }) => academicYear === toYear).toReversed();
  return new Map(next.map((one) => [keyOf(one.grade, one.name), one]));
}

function requireOneEach(classes: readonly RolledClass[]): void {
  const going = classes.filter((one) => !isLeaving(one));
  const keys = new Set(going.map(({ grade, name }) => keyOf(grade, name)));
  if (keys.size < going.length)
    throw invalid('classes', 'two_into_one', 'Two classes would become one. Name one of them.');
}

/** Returns the classes of the years that are not archived, by grade and id. */
const classesOf = (trx: Trx, key: SchoolKey, years: readonly string[]): Promise<ClassOfYear[]> =>
  rowsOf(
    trx,
    `select id, name, grade, academic_year from class
     where organization_id = :organizationId and school_id = :schoolId and archived_at is null
       and academic_year = any(:years::text[])
     order by grade, id`,
    { ...key, years },
  );

/** Returns the students with an open enrollment in the classes, by id. */
const membersOf = (trx: Trx, { organizationId }: SchoolKey, classes: readonly ClassOfYear[]): Promise<Member[]> =>
  rowsOf(
    trx,
    `select student_id, class_id from enrollment
     where organization_id = :organizationId and class_id = any(:classIds::bigint[]) and enrolled_to is null
     order by student_id`,
    { organizationId, classIds: classes.map(({ id }) => id) },
  );

/** Returns those who were in one of the classes and are in a class of the new year. */
async function alreadyThere(
  trx: Trx,
  { organizationId }: SchoolKey,
  classes: readonly ClassOfYear[],
  toYear: string,
): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select distinct was.student_id from enrollment was
     join enrollment e on e.organization_id = was.organization_id and e.student_id = was.student_id
       and e.enrolled_to is null
     join class c on c.organization_id = e.organization_id and c.id = e.class_id and c.academic_year = :toYear
     where was.organization_id = :organizationId and was.class_id = any(:classIds::bigint[])
       and was.enrolled_to is not null
     order by was.student_id`,
    { organizationId, classIds: classes.map(({ id }) => id), toYear },
  );
  return rows.map(({ studentId }) => studentId);
}

async function requireNamedClasses(
  trx: Trx,
  { organizationId }: SchoolKey,
  { classes = [] }: RollOverInput,
  old: readonly ClassOfYear[],
): Promise<void> {
  const ids = classes.map(({ classId }) => classId);
  const known = new Set(old.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  if (others.length > 0) {
    const found = await SchoolClass.query(trx).where({ organizationId }).whereIn('id', others).select('id');
    if (found.length < new Set(others).size) throw notFound();
  }
  const twice = ids.findIndex((id, at) => ids.indexOf(id) < at);
  if (twice >= 0) throw invalid(`classes.${twice}.classId`, 'not_unique');
  const foreign = ids.findIndex((id) => !known.has(id));
  if (foreign >= 0) throw invalid(`classes.${foreign}.classId`, 'not_in_roll_over');
}

/** Returns the named repeaters. Who is in a class of the new year already may be named again. */
async function repeatersOf(
  trx: Trx,
  { organizationId }: SchoolKey,
  { repeatStudentIds = [] }: RollOverInput,
  studentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const expected = new Set(studentIds);
  const others = repeatStudentIds.filter((id) => !expected.has(id));
  if (others.length > 0) {
    const students = User.query(trx)
      .where({ organizationId, primaryPersona: 'STUDENT' })
      .whereNot({ status: 'deleted' });
    const found = await students.whereIn('id', others).select('id');
    if (found.length < others.length) throw notFound();
    await refuseMerged(trx, organizationId, others, 'repeatStudentIds');
    throw invalid(`repeatStudentIds.${repeatStudentIds.indexOf(others[0] ?? 0)}`, 'not_in_roll_over');
  }
  return new Set(repeatStudentIds);
}
