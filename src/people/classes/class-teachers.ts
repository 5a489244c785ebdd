// Who teaches a class: one PRIMARY, any number of SECONDARY, kept so by the order of attachment.

import { type Trx, violatedConstraint } from '../../platform/db.ts';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import { ClassTeacher, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';

/** NOT_FOUND for an unknown user, VALIDATION_ERROR for one who is no teacher, CONFLICT `already_assigned`. */
export async function attachTeacher(
  trx: Trx,
  { id: classId, organizationId }: SchoolClass,
  teacherUserId: number,
): Promise<ClassTeacher> {
  await requireTeacher(trx, teacherUserId);
  if (!(await SchoolClass.query(trx).findById(classId).forUpdate())) throw notFound();
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

async function requireTeacher(trx: Trx, userId: number): Promise<void> {
  const user = await User.query(trx).findById(userId).forShare().select('primaryPersona', 'status');
  if (!user || user.status === 'deleted') throw notFound();
  if (user.primaryPersona !== 'TEACHER') throw invalid('teacherUserId', 'is not a teacher');
}

/** Removing the PRIMARY promotes the SECONDARY who was attached first. NOT_FOUND when the teacher is not attached. */
export async function detachTeacher(trx: Trx, { id: classId }: SchoolClass, teacherUserId: number): Promise<void> {
  await SchoolClass.query(trx).findById(classId).forUpdate();
  const removed = await ClassTeacher.query(trx).where({ classId, teacherUserId }).delete().returning('*');
  const [gone] = removed as unknown as ClassTeacher[];
  if (!gone) throw notFound();
  if (gone.role === 'SECONDARY') return;
  const heir = await ClassTeacher.query(trx).where({ classId }).orderBy('position').first();
  if (heir)
    await ClassTeacher.query(trx).where({ classId, teacherUserId: heir.teacherUserId }).patch({ role: 'PRIMARY' });
}

export async function teachersOf(trx: Trx, classIds: readonly number[]): Promise<Map<number, ClassTeacher[]>> {
  const rows = await ClassTeacher.query(trx)
    .whereIn('classId', [...classIds])
    .orderBy('position');
  const byClass = new Map<number, ClassTeacher[]>(classIds.map((id) => [id, []]));
  for (const row of rows) byClass.get(row.classId)?.push(row);
  return byClass;
}
