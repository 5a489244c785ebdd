// Finds recipients. Those who cannot sign in at the time of delivery are left out then, not here.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Ids of users by id of the student. */
export type ByStudent = (studentId: number) => readonly number[];

/** All teachers of the present class of each student. */
export const teachersOfStudents = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ByStudent> =>
  byStudent(
    trx,
    `select e.student_id, t.teacher_user_id as user_id from enrollment e
     join class_teacher t on t.organization_id = e.organization_id and t.class_id = e.class_id
     where e.organization_id = :organizationId and e.student_id = any(:studentIds::bigint[]) and e.enrolled_to is null
     order by t.teacher_user_id`,
    organizationId,
    studentIds,
  );

/** All parents linked to each student. */
export const parentsOfStudents = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ByStudent> =>
  byStudent(
    trx,
    `select student_id, parent_user_id as user_id from parent_student
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[]) order by parent_user_id`,
    organizationId,
    studentIds,
  );

async function byStudent(
  trx: Trx,
  statement: string,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ByStudent> {
  const rows = await rowsOf<{ studentId: number; userId: number }>(trx, statement, {
    organizationId,
    studentIds: [...new Set(studentIds)],
  });
  const found = new Map<number, number[]>();
  for (const { studentId, userId } of rows) found.set(studentId, [...(found.get(studentId) ?? []), userId]);
  return (studentId) => found.get(studentId) ?? [];
}

export async function adminsOf(trx: Trx, organizationId: string): Promise<readonly number[]> {
  const rows = await rowsOf<{ id: number }>(
    trx,
    `select id from app_user where organization_id = :organizationId and primary_persona = 'ADMIN'
       and status = 'active' order by id`,
    { organizationId },
  );
  return rows.map(({ id }) => id);
}
