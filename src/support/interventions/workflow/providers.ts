// The provider of an assignment: an active member of staff of the student's school.
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isActiveStaff } from '../assignments/providers.ts';

/** Throws VALIDATION_ERROR for a user who is no active staff of the school. */
export async function requireProvider(
  trx: Trx,
  { organizationId, schoolId }: { readonly organizationId: string; readonly schoolId: string | null },
  providerUserId: number | undefined,
): Promise<void> {
  if (providerUserId === undefined) return;
  const found = await rowsOf(
    trx,
    `select u.id from app_user u
     where u.organization_id = :organizationId and u.id = :providerUserId and ${isActiveStaff('u', ':schoolId')}`,
    { organizationId, schoolId, providerUserId },
  );
  if (found.length === 0) throw invalid('providerUserId', 'not_staff_of_school');
}
