// Enrollments of a roster, many per statement. The events are the same as for single students.
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { appendEnrollmentChanges, appendGrades, gradeInYear, gradesOf } from '../classes/enrollment.ts';
import { Enrollment, SchoolClass } from '../records/organizations.ts';

export interface ClassMove {
  readonly studentId: number;
  /** Null closes the enrollment without a new one. */
  readonly classId: number | null;
}

interface RosterWrite {
  readonly organizationId: string;
  /** The organization's local date, YYYY-MM-DD. */
  readonly today: string;
  readonly now: Date;
}

/** Locks classes until the transaction ends and returns grade and school year of those that are not archived. */
export async function lockClasses(
  trx: Trx,
  organizationId: string,
  classIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const named = SchoolClass.query(trx)
    .where({ organizationId })
    .whereIn('id', [...classIds])
    .orderBy('id');
  const rows: (Pick<SchoolClass, 'id' | 'grade' | 'academicYear'> & { archivedAt: string | null })[] = await lockRows(
    'class',
    'change',
    named,
  ).select(...['id', 'grade', 'academicYear', 'archivedAt']);
  return new Map(rows.filter(({ archivedAt }) => archivedAt === null).map((row) => [row.id, gradeInYear(row)]));
}

/**
 * Closes the open enrollments of the students and opens new ones. The caller holds the locks of students and classes and
 * passes no student whose class stays the same.
 */
export async function moveStudents(
  trx: Trx,
  { organizationId, today, now }: RosterWrite,
  moves: readonly ClassMove[],
  gradeOfClass: ReadonlyMap<number, string>,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map(({ studentId }) => studentId);
  const before = await gradesOf(trx, organizationId, ids);
  await Enrollment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', ids)
    .whereNull('enrolledTo')
    .update({ enrolledTo: trx.raw('greatest(enrolled_from, ?::date)', [today]) });
  const coming = moves.flatMap(({ studentId, classId }) => (classId === null ? [] : [{ studentId, classId }]));
  if (coming.length > 0) {
    await Enrollment.query(trx).insert(coming.map((one) => ({ organizationId, ...one, enrolledFrom: today })));
  }
  await appendEnrollmentChanges(trx, organizationId, ids, now);
  const regraded = coming.flatMap(({ studentId, classId }) => {
    const grade = gradeOfClass.get(classId);
    return before.has(studentId) && before.get(studentId) !== grade ? [{ studentId, classId }] : [];
  });
  await appendGrades(trx, organizationId, regraded, now);
}
