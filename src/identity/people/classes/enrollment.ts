// Enrollments: a student is in at most one class at a time; closed enrollments are the history.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Enrollment, Organization, SchoolClass } from '../records/organizations.ts';
import { classHistoryOf, type WithClassHistory } from '../students/grades.ts';
import { lockWritableStudents } from '../students/lock.ts';
import { refuseMerged } from '../students/merged.ts';
import { studentEnrollmentChanged, studentGradeChanged } from './events.ts';

/**
 * Enrolls students in a class. The open enrollment of a student in another class is closed in the same transaction. Throws
 * NOT_FOUND when one of them is no student of the organization, and CONFLICT `archived` for an archived class.
 */
export async function enroll(trx: Trx, target: SchoolClass, studentIds: readonly number[], now: Date): Promise<void> {
  await lockWritableStudents(trx, target.organizationId, studentIds);
  const grade = gradeInYear(await requireOpenClass(trx, target));
  const before = await gradesOf(trx, target.organizationId, studentIds);
  const open = await Enrollment.query(trx)
    .where({ organizationId: target.organizationId })
    .whereIn('studentId', [...studentIds])
    .whereNull('enrolledTo');
  const moving = open.filter(({ classId }) => classId !== target.id);
  const staying = new Set(open.filter(({ classId }) => classId === target.id).map(({ studentId }) => studentId));
  const today = await todayAt(trx, target.organizationId, now);
  await close(trx, moving, today);
  const coming = studentIds.filter((id) => !staying.has(id));
  await openIn(trx, target, coming, today);
  await appendEnrollmentChanges(trx, target.organizationId, coming, now);
  const changed = studentIds.filter((id) => before.has(id) && before.get(id) !== grade);
  await appendGradeChanges(trx, target, changed, now);
}

/** Locks the class against removal and archiving until the transaction ends. */
async function requireOpenClass(trx: Trx, { id, organizationId }: SchoolClass): Promise<SchoolClass> {
  const row = await lockRows('class', 'share', SchoolClass.query(trx).findOne({ id, organizationId }));
  if (!row) throw notFound();
  if (row.archivedAt !== null) throw conflict('archived', 'The class is archived.');
  return row;
}

async function close(trx: Trx, enrollments: readonly Enrollment[], today: string): Promise<void> {
  if (enrollments.length === 0) return;
  await Enrollment.query(trx)
    .where({ organizationId: enrollments[0]?.organizationId })
    .whereIn(
      'id',
      enrollments.map(({ id }) => id),
    )
    .patch({ enrolledTo: trx.raw('greatest(enrolled_from, ?::date)', [today]) as unknown as string });
}

async function openIn(trx: Trx, target: SchoolClass, studentIds: readonly number[], today: string): Promise<void> {
  if (studentIds.length === 0) return;
  await Enrollment.query(trx).insert(
    studentIds.map((studentId) => ({
      organizationId: target.organizationId,
      studentId,
      classId: target.id,
      enrolledFrom: today,
    })),
  );
}

/**
 * Returns grade and school year of the class of each student, of the last one between classes. New students have none. A student
 * for whom both stay the same is evaluated as before.
 */
export async function gradesOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await rowsOf<WithClassHistory & { readonly studentId: number }>(
    trx,
    `select w.student_id, ${classHistoryOf(':organizationId', 'w.student_id')} as class_history
     from unnest(:studentIds::bigint[]) as w (student_id)`,
    { organizationId, studentIds: [...studentIds] },
  );
  return new Map(
    rows.flatMap(({ studentId, classHistory: [newest] }) => (newest ? [[studentId, gradeInYear(newest)]] : [])),
  );
}

/** Returns grade and school year as text, to be compared. */
export const gradeInYear = ({ grade, academicYear }: Pick<SchoolClass, 'grade' | 'academicYear'>): string =>
  `${grade} ${academicYear}`;

/** Appends an event for each student with a new grade. The grade defines the sub-skills in scope, so results recompute. */
export const appendGradeChanges = (
  trx: Trx,
  { id: classId, organizationId }: Pick<SchoolClass, 'id' | 'organizationId'>,
  studentIds: readonly number[],
  now: Date,
): Promise<void> =>
  appendGrades(
    trx,
    organizationId,
    studentIds.map((studentId) => ({ studentId, classId })),
    now,
  );

/** Appends grade changes of students of several classes. */
export const appendGrades = (
  trx: Trx,
  organizationId: string,
  changed: readonly { readonly studentId: number; readonly classId: number }[],
  now: Date,
): Promise<void> =>
  appendEvents(
    trx,
    now,
    changed.map((one) => newEvent(studentGradeChanged, organizationId, one)),
  );

/** Returns the students whose grade comes from the class: those enrolled in it, and those whose last class it was. */
export async function studentsGradedBy(
  trx: Trx,
  { id: classId, organizationId }: Pick<SchoolClass, 'id' | 'organizationId'>,
): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `select former.student_id from (
       select distinct student_id from enrollment where organization_id = :organizationId and class_id = :classId) former
     cross join lateral (select class_id from enrollment e
       where e.organization_id = :organizationId and e.student_id = former.student_id
       order by e.enrolled_to is not null, e.id desc limit 1) newest
     where newest.class_id = :classId order by former.student_id`,
    { organizationId, classId },
  );
  return rows.map(({ studentId }) => studentId);
}

/** Throws NOT_FOUND when the student is not enrolled in the class, and CONFLICT `merged` for a merged account. */
export async function removeFromClass(trx: Trx, target: SchoolClass, studentId: number, now: Date): Promise<void> {
  const { id: classId, organizationId } = target;
  await refuseMerged(trx, organizationId, [studentId], 'studentId');
  const current = Enrollment.query(trx).where({ organizationId, classId, studentId }).whereNull('enrolledTo');
  const open = await lockRows('enrollment', 'change', current);
  if (open.length === 0) throw notFound();
  await close(trx, open, await todayAt(trx, organizationId, now));
  await appendEnrollmentChanges(trx, organizationId, [studentId], now);
}

/** Ends the open enrollment of a student who leaves, and returns its class; null without one. */
export async function endEnrollment(
  trx: Trx,
  { id: studentId, organizationId }: { readonly id: number; readonly organizationId: string },
  now: Date,
): Promise<number | null> {
  const current = Enrollment.query(trx).where({ organizationId, studentId }).whereNull('enrolledTo');
  const open = await lockRows('enrollment', 'change', current);
  if (open[0] === undefined) return null;
  await close(trx, open, await todayAt(trx, organizationId, now));
  await appendEnrollmentChanges(trx, organizationId, [studentId], now);
  return open[0].classId;
}

/** Appends the events by which a student's assignments of support move to the new class, or end. */
export const appendEnrollmentChanges = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  now: Date,
): Promise<void> =>
  appendEvents(
    trx,
    now,
    studentIds.map((studentId) => newEvent(studentEnrollmentChanged, organizationId, { studentId })),
  );

async function todayAt(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const organization = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return localDate(now, organization.timeZone);
}
