// Who is in which class after a roster, many in one statement; what follows from it is told as for single students.
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import { appendEnrollmentChanges, appendGrades, gradesOf } from '../classes/enrollment.ts';

export interface Placing {
  readonly studentId: number;
  /** Null: the student leaves the class and goes to no other. */
  readonly classId: number | null;
}

interface Writing {
  readonly organizationId: string;
  /** YYYY-MM-DD, where the organization is. */
  readonly today: string;
  readonly now: Date;
}

/** Grades of open classes, all of which stay as they are until the transaction ends. */
export async function lockClasses(
  trx: Trx,
  organizationId: string,
  classIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const named = trx('class')
    .where({ organizationId })
    .whereIn('id', [...classIds])
    .orderBy('id');
  const rows: { id: number; grade: number; archivedAt: string | null }[] = await lockRows(
    'class',
    'change',
    named,
  ).select(...['id', 'grade', 'archivedAt']);
  return new Map(rows.filter(({ archivedAt }) => archivedAt === null).map(({ id, grade }) => [id, grade]));
}

/** Whoever was in a class leaves it. Students and classes are locked; nobody stays in the class that he goes to. */
export async function placeStudents(
  trx: Trx,
  { organizationId, today, now }: Writing,
  placings: readonly Placing[],
  gradeOfClass: ReadonlyMap<number, number>,
): Promise<void> {
  if (placings.length === 0) return;
  const ids = placings.map(({ studentId }) => studentId);
  const before = await gradesOf(trx, organizationId, ids);
  await trx('enrollment')
    .where({ organizationId })
    .whereIn('studentId', ids)
    .whereNull('enrolledTo')
    .update({ enrolledTo: trx.raw('greatest(enrolled_from, ?::date)', [today]) });
  const coming = placings.filter(({ classId }) => classId !== null);
  if (coming.length > 0) {
    await trx('enrollment').insert(coming.map((one) => ({ organizationId, ...one, enrolledFrom: today })));
  }
  await appendEnrollmentChanges(trx, organizationId, ids, now);
  const regraded = coming.flatMap(({ studentId, classId }) => {
    const grade = classId === null ? undefined : gradeOfClass.get(classId);
    return classId !== null && before.has(studentId) && before.get(studentId) !== grade ? [{ studentId, classId }] : [];
  });
  await appendGrades(trx, organizationId, regraded, now);
}
