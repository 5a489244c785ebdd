// Reach inside an organization: which classes, schools and students a caller may see. A stranger's row never gets here.
import type { Actor } from '../../http/route.ts';
import type { Trx } from '../../platform/db.ts';
import { denied } from '../../platform/errors.ts';

/** The personas that a reach is narrowed to; ADMIN stands for the organization's ADMIN and for SUPER. */
export type ReachPersona = 'TEACHER' | 'PRINCIPAL' | 'ADMIN' | 'MANAGER';

export const staff: readonly ReachPersona[] = ['TEACHER', 'PRINCIPAL', 'ADMIN'];
export const teachersAndAdmins: readonly ReachPersona[] = ['TEACHER', 'ADMIN'];

/** What the reach of a class, or of a student through the class, depends on. */
export interface Placement {
  readonly classId: number | null;
  readonly schoolId: string | null;
}

/** Throws PERMISSION_DENIED unless the caller, as one of `allowed`, reaches the class. */
export async function requireReach(
  trx: Trx,
  actor: Actor,
  at: Placement,
  allowed: readonly ReachPersona[],
): Promise<void> {
  if (!allowed.some((persona) => persona === actor.persona)) throw denied();
  if (!(await reaches(trx, actor, at))) throw denied('This is outside the classes and schools that you work with.');
}

async function reaches(trx: Trx, actor: Actor, at: Placement): Promise<boolean> {
  if (actor.persona === 'ADMIN' || actor.persona === 'MANAGER') return true;
  if (actor.persona === 'TEACHER') return at.classId !== null && teaches(trx, actor.userId, at.classId);
  if (actor.persona === 'PRINCIPAL') return at.schoolId !== null && leads(trx, actor.userId, at.schoolId);
  return false;
}

export async function teaches(trx: Trx, teacherUserId: number, classId: number): Promise<boolean> {
  const row = await trx('class_teacher').where({ classId: classId, teacherUserId: teacherUserId }).first('classId');
  return row !== undefined;
}

async function leads(trx: Trx, principalUserId: number, schoolId: string): Promise<boolean> {
  const row = await trx('principal_school')
    .where({ schoolId: schoolId, principalUserId: principalUserId })
    .first('schoolId');
  return row !== undefined;
}
