// Finds students by id: which exist, and which are enrolled in a class.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

export interface EnrolledStudents {
  /** Students of the organization who were not erased. */
  readonly known: ReadonlySet<number>;
  /** Those of them who are enrolled in the class. */
  readonly enrolled: ReadonlySet<number>;
}

export async function findEnrolled(
  trx: Trx,
  { organizationId, classId }: { readonly organizationId: string; readonly classId: number },
  studentIds: readonly number[],
): Promise<EnrolledStudents> {
  const rows = await rowsOf<{ id: number; isEnrolled: boolean }>(
    trx,
    `select u.id, exists (select from enrollment e where e.organization_id = u.organization_id and e.student_id = u.id
         and e.class_id = :classId and e.enrolled_to is null) as is_enrolled
     from app_user u
     where u.organization_id = :organizationId and u.id = any(:studentIds::bigint[])
       and u.primary_persona = 'STUDENT' and u.status <> 'deleted'`,
    { organizationId, classId, studentIds: [...studentIds] },
  );
  return {
    known: new Set(rows.map(({ id }) => id)),
    enrolled: new Set(rows.filter(({ isEnrolled }) => isEnrolled).map(({ id }) => id)),
  };
}
