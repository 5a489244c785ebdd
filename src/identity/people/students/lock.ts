// The one lock of students: whoever changes what belongs to one waits here for whoever does so already.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';

/** Until the transaction ends. NOT_FOUND where one of them is no student, or was erased meanwhile. */
export async function lockStudents(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const found = await lockLivingStudents(trx, organizationId, studentIds);
  if (found.length !== new Set(studentIds).size) throw notFound();
}

/** The same for those among them who are students and were not erased; answers their ids. */
export async function lockLivingStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<number[]> {
  const living = trx('app_user')
    .where({ organizationId })
    .whereRaw('id = any(?::bigint[])', [[...studentIds]])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .options(keptPlan)
    .select('id');
  const found: { id: number }[] = await lockRows('account', 'change', living);
  return found.map(({ id }) => id);
}
