// Who is in which class after a roster, many in one statement; what follows from it is told as for single students.
import type { Trx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { lockRows } from '../../platform/locks.ts';
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

export interface Teaching {
  readonly classId: number;
  readonly teacherUserId: number;
  /** The main teacher of the class, whoever was so before. */
  readonly primary: boolean;
}

/** One PRIMARY a class. Teachers and classes are locked; none of them teaches the class yet. */
export async function attachTeachers(trx: Trx, organizationId: string, teachings: readonly Teaching[]): Promise<void> {
  if (teachings.length === 0) return;
  const classIds = [...new Set(teachings.map(({ classId }) => classId))];
  const primaries = trx('class_teacher').where({ organizationId, role: 'PRIMARY' });
  const led: { classId: number }[] = await primaries.clone().whereIn('classId', classIds).select('classId');
  const taken = new Set(led.map(({ classId }) => classId));
  const chosen = new Map<number, number>();
  for (const { classId, teacherUserId, primary } of teachings) {
    if (!chosen.has(classId) && (primary || !taken.has(classId))) chosen.set(classId, teacherUserId);
  }
  for (const { classId, teacherUserId, primary } of teachings) if (primary) chosen.set(classId, teacherUserId);
  const replaced = [...chosen.keys()].filter((classId) => taken.has(classId));
  if (replaced.length > 0) await primaries.clone().whereIn('classId', replaced).update({ role: 'SECONDARY' });
  await trx('class_teacher').insert(
    teachings.map(({ classId, teacherUserId }) => ({
      ...{ organizationId, classId, teacherUserId },
      role: chosen.get(classId) === teacherUserId ? 'PRIMARY' : 'SECONDARY',
    })),
  );
}

/** A class that loses its PRIMARY gets the one who has taught it longest. */
export async function detachTeachers(
  trx: Trx,
  organizationId: string,
  pairs: readonly Pick<Teaching, 'classId' | 'teacherUserId'>[],
): Promise<void> {
  if (pairs.length === 0) return;
  const keys = pairs.map(({ classId, teacherUserId }) => [classId, teacherUserId] as [number, number]);
  await trx('class_teacher').where({ organizationId }).whereIn(['classId', 'teacherUserId'], keys).delete();
  const classIds = [...new Set(pairs.map(({ classId }) => classId))];
  const heirs = trx('class_teacher')
    .where({ organizationId })
    .whereIn('classId', classIds)
    .groupBy('classId')
    .havingRaw("bool_and(role <> 'PRIMARY')")
    .select(trx.raw('min(position)'));
  await trx('class_teacher').where({ organizationId }).whereIn('position', heirs).update({ role: 'PRIMARY' });
}

interface FamilyLink {
  readonly studentId: number;
  readonly parentUserId: number;
}

/** Both are locked; a link that is there stays. */
export async function linkFamilies(trx: Trx, organizationId: string, links: readonly FamilyLink[]): Promise<void> {
  if (links.length === 0) return;
  await trx('parent_student')
    .insert(links.map((link) => ({ childId: newId(), organizationId, ...link })))
    .onConflict(['organizationId', 'parentUserId', 'studentId'])
    .ignore();
}
