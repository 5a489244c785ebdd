// Which class a student is in: at most one at a time, with its history.
import { User } from '../identity/index.ts';
import type { Trx } from '../platform/db.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { promise } from '../platform/outbox.ts';
import { localDate } from '../platform/pure/calendar.ts';
import { Enrollment, Organization, SchoolClass } from './store.ts';

/**
 * Puts students into a class. A student of another class moves: the old enrollment closes in the same transaction.
 * NOT_FOUND when one of them is no student of the organization; CONFLICT `archived` for a class of the past.
 */
export async function enroll(trx: Trx, target: SchoolClass, studentIds: readonly number[], now: Date): Promise<void> {
  await requireOpenClass(trx, target.id);
  await lockStudents(trx, studentIds);
  const open = await Enrollment.query(trx)
    .whereIn('studentId', [...studentIds])
    .whereNull('enrolledTo');
  const moving = open.filter(({ classId }) => classId !== target.id);
  const staying = new Set(open.filter(({ classId }) => classId === target.id).map(({ studentId }) => studentId));
  const today = await todayAt(trx, target.organizationId, now);
  await close(trx, moving, today);
  await openIn(
    trx,
    target,
    studentIds.filter((id) => !staying.has(id)),
    today,
  );
  await promiseGradeChanges(trx, target, moving, now);
}

/** The lock keeps the class from being removed or archived until the students are in it. */
async function requireOpenClass(trx: Trx, classId: number): Promise<void> {
  const row = await SchoolClass.query(trx).findById(classId).forShare();
  if (!row) throw notFound();
  if (row.archivedAt !== null) throw conflict('archived', 'The class is archived.');
}

/** The row locks let simultaneous moves of one student happen one after the other. */
async function lockStudents(trx: Trx, studentIds: readonly number[]): Promise<void> {
  const found = await User.query(trx)
    .whereIn('id', [...studentIds])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .forUpdate()
    .select('id');
  if (found.length !== new Set(studentIds).size) throw notFound();
}

async function close(trx: Trx, enrollments: readonly Enrollment[], today: string): Promise<void> {
  if (enrollments.length === 0) return;
  await Enrollment.query(trx)
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

async function promiseGradeChanges(
  trx: Trx,
  target: SchoolClass,
  moved: readonly Enrollment[],
  now: Date,
): Promise<void> {
  const former = await SchoolClass.query(trx)
    .whereIn(
      'id',
      moved.map(({ classId }) => classId),
    )
    .select('id', 'grade');
  const gradeOf = new Map(former.map(({ id, grade }) => [id, grade]));
  const changed = moved.filter(({ classId }) => gradeOf.get(classId) !== target.grade);
  await promise(
    trx,
    now,
    changed.map(({ studentId }) => ({
      organizationId: target.organizationId,
      topic: 'student.grade_changed',
      payload: { studentId, classId: target.id },
    })),
  );
}

/** NOT_FOUND when the student is not in the class now. */
export async function removeFromClass(trx: Trx, target: SchoolClass, studentId: number, now: Date): Promise<void> {
  const open = await Enrollment.query(trx).where({ classId: target.id, studentId }).whereNull('enrolledTo').forUpdate();
  if (open.length === 0) throw notFound();
  await close(trx, open, await todayAt(trx, target.organizationId, now));
}

async function todayAt(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const organization = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return localDate(now, organization.timeZone);
}
