// Names that a person knows and may therefore type into a text.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { TenantUser } from './named-students.ts';

/** Returns the names of the person, of the students in the person's classes, and of linked children. */
export async function namesKnownTo(trx: Trx, person: TenantUser): Promise<readonly string[]> {
  const named = await rowsOf<{ fullNameAr: string }>(
    trx,
    `select u.full_name_ar from app_user u
     where u.organization_id = :organizationId and u.full_name_ar is not null and (
       u.id = :userId
       or u.id in (select p.student_id from parent_student p
                   where p.organization_id = :organizationId and p.parent_user_id = :userId)
       or u.id in (select e.student_id from class_teacher t
                   join enrollment e on e.organization_id = :organizationId and e.class_id = t.class_id
                     and e.enrolled_to is null
                   where t.organization_id = :organizationId and t.teacher_user_id = :userId))`,
    { ...person },
  );
  return named.map(({ fullNameAr }) => fullNameAr);
}
