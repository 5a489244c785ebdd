// Creation, change, archiving and removal of classes.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { lockRows, type RowMode } from '#core/platform/locks.ts';
import { ClassTeacher, Enrollment, School, SchoolClass } from '../records/organizations.ts';
import { assignTeacher, lockTeachers } from './class-teachers.ts';
import { appendGradeChanges, gradeInYear, studentsGradedBy } from './enrollment.ts';

export interface NewClass {
  readonly name: string;
  readonly grade: number;
  readonly academicYear: string;
  readonly teacherUserIds?: readonly number[];
}

/**
 * The first teacher becomes PRIMARY, the others SECONDARY. Waits for a roll-over of the school, which makes classes too. Throws NOT_FOUND for a school that was
 * removed.
 */
export async function createClass(trx: Trx, school: School, input: NewClass, now: Date): Promise<SchoolClass> {
  requireConsecutiveYears(input.academicYear);
  const { name, grade, academicYear, teacherUserIds = [] } = input;
  await lockTeachers(trx, teacherUserIds);
  if (!(await lockRows('school', 'share', School.query(trx).findById(school.id)))) throw notFound();
  const row = await SchoolClass.query(trx).insertAndFetch({
    organizationId: school.organizationId,
    schoolId: school.id,
    name,
    grade,
    academicYear,
    createdAt: now.toISOString(),
  });
  for (const teacherUserId of teacherUserIds) await assignTeacher(trx, row, teacherUserId);
  return row;
}

export interface ClassChange {
  readonly name?: string;
  readonly grade?: number;
  readonly academicYear?: string;
  readonly archived?: boolean;
}

/**
 * Throws CONFLICT `has_students` when a class with enrolled students would be archived. A changed grade or school
 * year raises an event for every student whose grade comes from the class, which recomputes their results.
 */
export async function updateClass(trx: Trx, row: SchoolClass, change: ClassChange, now: Date): Promise<SchoolClass> {
  const { archived, ...fields } = change;
  if (fields.academicYear !== undefined) requireConsecutiveYears(fields.academicYear);
  const locked = await lockClass(trx, row, 'change');
  if (archived) await refuseWithStudents(trx, row);
  const archivedAt =
    archived === undefined ? {} : { archivedAt: archived ? (row.archivedAt ?? now.toISOString()) : null };
  const changed = await SchoolClass.query(trx).patchAndFetchById(row.id, { ...fields, ...archivedAt });
  if (gradeInYear(changed) !== gradeInYear(locked))
    await appendGradeChanges(trx, row, await studentsGradedBy(trx, row), now);
  return changed;
}

/** Throws CONFLICT `has_students` while students are enrolled. A class that ever had any is archived, not removed. */
export async function deleteClass(trx: Trx, row: SchoolClass, now: Date): Promise<void> {
  await lockClass(trx, row, 'remove');
  const { id: classId, organizationId } = row;
  const enrollments = await Enrollment.query(trx).where({ organizationId, classId }).select('enrolledTo');
  if (enrollments.some(({ enrolledTo }) => enrolledTo === null)) throw hasStudents();
  if (enrollments.length > 0) await updateClass(trx, row, { archived: true }, now);
  else await remove(trx, row);
}

/** Deletes the teachers explicitly: the record of changes does not see rows that a foreign key removes. */
async function remove(trx: Trx, row: SchoolClass): Promise<void> {
  const { id: classId, organizationId } = row;
  await ClassTeacher.query(trx).where({ organizationId, classId }).delete();
  try {
    await SchoolClass.query(trx).deleteById(row.id);
  } catch (error) {
    if (violatedConstraint(error) === 'enrollment_class_fk') throw hasStudents();
    throw error;
  }
}

/** Locks the class against concurrent enrollments. Throws NOT_FOUND for a class that was removed. */
async function lockClass(trx: Trx, { id, organizationId }: SchoolClass, mode: RowMode): Promise<SchoolClass> {
  const locked = await lockRows('class', mode, SchoolClass.query(trx).findOne({ id, organizationId }));
  if (!locked) throw notFound();
  return locked;
}

async function refuseWithStudents(trx: Trx, { id: classId, organizationId }: SchoolClass): Promise<void> {
  const enrolled = await Enrollment.query(trx)
    .findOne({ organizationId, classId })
    .whereNull('enrolledTo')
    .select('id');
  if (enrolled) throw hasStudents();
}

const hasStudents = () => conflict('has_students', 'The class still has students.');

function requireConsecutiveYears(academicYear: string): void {
  const [first, second] = academicYear.split('-').map(Number);
  if (first === undefined || second !== first + 1) throw invalid('academicYear', 'must name two consecutive years');
}
