// Use cases of classes: making them, changing them, and what becomes of one that is no longer needed.
import { type Trx, violatedConstraint } from '../platform/db.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { promise } from '../platform/outbox.ts';
import { attachTeacher } from './class-teachers.ts';
import { Enrollment, type School, SchoolClass } from './store.ts';

export interface NewClass {
  readonly name: string;
  readonly grade: number;
  readonly academicYear: string;
  readonly teacherUserIds?: readonly number[];
}

/** The first teacher becomes PRIMARY, the others SECONDARY. */
export async function createClass(trx: Trx, school: School, wish: NewClass, now: Date): Promise<SchoolClass> {
  requireConsecutiveYears(wish.academicYear);
  const { name, grade, academicYear } = wish;
  const made = await SchoolClass.query(trx).insertAndFetch({
    organizationId: school.organizationId,
    schoolId: school.id,
    name,
    grade,
    academicYear,
    createdAt: now.toISOString(),
  });
  for (const teacherUserId of wish.teacherUserIds ?? []) await attachTeacher(trx, made, teacherUserId);
  return made;
}

export interface ClassChange {
  readonly name?: string;
  readonly grade?: number;
  readonly academicYear?: string;
  readonly archived?: boolean;
}

/** CONFLICT `has_students` on archiving while students are enrolled. A changed grade starts a recompute of every enrolled student, because the grade decides what is in scope. */
export async function updateClass(trx: Trx, row: SchoolClass, change: ClassChange, now: Date): Promise<SchoolClass> {
  const { archived, ...fields } = change;
  if (fields.academicYear !== undefined) requireConsecutiveYears(fields.academicYear);
  if (archived) await refuseWithStudents(trx, row);
  const archivedAt =
    archived === undefined ? {} : { archivedAt: archived ? (row.archivedAt ?? now.toISOString()) : null };
  const changed = await SchoolClass.query(trx).patchAndFetchById(row.id, { ...fields, ...archivedAt });
  if (changed.grade !== row.grade) await promiseGradeChange(trx, row, now);
  return changed;
}

async function promiseGradeChange(trx: Trx, { id, organizationId }: SchoolClass, now: Date): Promise<void> {
  const enrolled = await Enrollment.query(trx).select('studentId').where({ classId: id }).whereNull('enrolledTo');
  await promise(
    trx,
    now,
    enrolled.map(({ studentId }) => ({
      organizationId,
      topic: 'student.grade_changed',
      payload: { studentId, classId: id },
    })),
  );
}

/** CONFLICT `has_students` while students are enrolled. A class that ever had any is archived, not removed. */
export async function deleteClass(trx: Trx, row: SchoolClass, now: Date): Promise<void> {
  await SchoolClass.query(trx).findById(row.id).forUpdate();
  const enrollments = await Enrollment.query(trx).where({ classId: row.id }).select('enrolledTo');
  if (enrollments.some(({ enrolledTo }) => enrolledTo === null)) throw hasStudents();
  if (enrollments.length > 0) await updateClass(trx, row, { archived: true }, now);
  else await remove(trx, row);
}

async function remove(trx: Trx, row: SchoolClass): Promise<void> {
  try {
    await SchoolClass.query(trx).deleteById(row.id);
  } catch (error) {
    if (violatedConstraint(error) === 'enrollment_class_fk') throw hasStudents();
    throw error;
  }
}

/** The row lock keeps a student from being enrolled meanwhile. */
async function refuseWithStudents(trx: Trx, { id }: SchoolClass): Promise<void> {
  await SchoolClass.query(trx).findById(id).forUpdate();
  const enrolled = await Enrollment.query(trx).findOne({ classId: id }).whereNull('enrolledTo').select('id');
  if (enrolled) throw hasStudents();
}

const hasStudents = () => conflict('has_students', 'The class still has students.');

function requireConsecutiveYears(academicYear: string): void {
  const [first, second] = academicYear.split('-').map(Number);
  if (first === undefined || second !== first + 1) throw invalid('academicYear', 'must name two consecutive years');
}
