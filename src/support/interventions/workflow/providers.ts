// The provider of an assignment: an active member of staff of the student's school.
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Administrators belong to every school of their organization. Throws VALIDATION_ERROR for any other user. */
export async function requireProvider(
  trx: Trx,
  { organizationId, schoolId }: { readonly organizationId: string; readonly schoolId: string | null },
  providerUserId: number | undefined,
): Promise<void> {
  if (providerUserId === undefined) return;
  const found = await rowsOf(
    trx,
    `select u.id from app_user u
     where u.organization_id = :organizationId and u.id = :providerUserId and u.status = 'active'
       and (u.primary_persona = 'ADMIN'
         or u.primary_persona = 'PRINCIPAL' and exists (select from principal_school p
           where p.organization_id = u.organization_id and p.principal_user_id = u.id and p.school_id = :schoolId)
         or u.primary_persona = 'TEACHER' and exists (select from class_teacher t
           join class c on c.organization_id = t.organization_id and c.id = t.class_id
           where t.organization_id = u.organization_id and t.teacher_user_id = u.id and c.school_id = :schoolId))`,
    { organizationId, schoolId, providerUserId },
  );
  if (found.length === 0) throw invalid('providerUserId', 'not_staff_of_school');
}
