// The teachers of a class: one PRIMARY and any number of SECONDARY teachers, ordered by attachment.

import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { ClassTeacher, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';

/** Throws NOT_FOUND for an unknown user, VALIDATION_ERROR for one who is no teacher, CONFLICT `already_assigned`. */
export async function attachTeacher(trx: Trx, target: SchoolClass, teacherUserId: number): Promise<ClassTeacher> {
  await lockTeachers(trx, [teacherUserId]);
  return assignTeacher(trx, target, teacherUserId);
}

/** Attaches a teacher whom the transaction has locked; throws as `attachTeacher` does. */
export async function assignTeacher(
  trx: Trx,
  { id: classId, organizationId }: SchoolClass,
  teacherUserId: number,
): Promise<ClassTeacher> {
  if (!(await lockClass(trx, classId))) throw notFound();
  const primary = await ClassTeacher.query(trx).findOne({ classId, role: 'PRIMARY' });
  try {
    const role = primary ? 'SECONDARY' : 'PRIMARY';
    return await ClassTeacher.query(trx).insertAndFetch({ organizationId, classId, teacherUserId, role });
  } catch (error) {
    if (violatedConstraint(error) === 'class_teacher_pk') {
      throw conflict('already_assigned', 'This teacher already teaches the class.', 'teacherUserId');
    }
    throw error;
  }
}

/** Locks the teachers against a concurrent erasure, which takes the same locks, before any lock of a class. */
export async function lockTeachers(trx: Trx, userIds: readonly number[]): Promise<void> {
  const found = User.query(trx)
    .whereIn('id', [...userIds])
    .orderBy('id');
  const users = new Map((await lockRows('account', 'share', found)).map((user) => [user.id, user]));
  for (const user of userIds.map((id) => users.get(id))) {
    if (!user || user.status === 'deleted') throw notFound();
    if (user.primaryPersona !== 'TEACHER') throw invalid('teacherUserId', 'is not a teacher');
  }
}

const lockClass = (trx: Trx, id: number) => lockRows('class', 'change', SchoolClass.query(trx).findById(id));

/** Removing the PRIMARY promotes the SECONDARY attached first. Throws NOT_FOUND when the teacher is not attached. */
export async function detachTeacher(trx: Trx, { id: classId }: SchoolClass, teacherUserId: number): Promise<void> {
  await lockClass(trx, classId);
  await removeTeacher(trx, classId, teacherUserId);
}

/** Detaches the teacher from every class. All classes are locked before the first one changes. */
export async function detachFromAll(trx: Trx, teacherUserId: number): Promise<void> {
  const taught = await ClassTeacher.query(trx).where({ teacherUserId }).select('classId');
  const ids = taught.map(({ classId }) => classId);
  const classes = SchoolClass.query(trx).whereIn('id', ids).orderBy('id').select('id');
  await lockRows('class', 'change', classes);
  const still = await ClassTeacher.query(trx).where({ teacherUserId }).whereIn('classId', ids).select('classId');
  for (const { classId } of still) await removeTeacher(trx, classId, teacherUserId);
}

/** The caller holds the lock of the class. */
async function removeTeacher(trx: Trx, classId: number, teacherUserId: number): Promise<void> {
  const removed = await ClassTeacher.query(trx).where({ classId, teacherUserId }).delete().returning('*');
  const [former] = removed as unknown as ClassTeacher[];
  if (!former) throw notFound();
  if (former.role === 'SECONDARY') return;
  const successor = await ClassTeacher.query(trx).where({ classId }).orderBy('position').first();
  if (successor)
    await ClassTeacher.query(trx).where({ classId, teacherUserId: successor.teacherUserId }).patch({ role: 'PRIMARY' });
}

export async function teachersOf(trx: Trx, classIds: readonly number[]): Promise<Map<number, ClassTeacher[]>> {
  const rows = await ClassTeacher.query(trx)
    .whereIn('classId', [...classIds])
    .orderBy('position');
  const byClass = new Map<number, ClassTeacher[]>(classIds.map((id) => [id, []]));
  for (const row of rows) byClass.get(row.classId)?.push(row);
  return byClass;
}
