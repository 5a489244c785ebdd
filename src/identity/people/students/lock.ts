// The lock of students: it serializes all changes of data that belongs to a student.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import { User } from '../records/users.ts';

/** Locks students until the transaction ends. Throws NOT_FOUND when one of them is no student or was erased. */
export async function lockStudents(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const found = await lockLivingStudents(trx, organizationId, studentIds);
  if (found.length !== new Set(studentIds).size) throw notFound();
}

/** Locks those among the ids who are students and were not erased, and returns their ids. */
export async function lockLivingStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<number[]> {
  const living = User.query(trx)
    .where({ organizationId })
    .whereRaw('id = any(?::bigint[])', [[...studentIds]])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .select('id')
    .toKnexQuery()
    .options(keptPlan);
  const found: { id: number }[] = await lockRows('account', 'change', living);
  return found.map(({ id }) => id);
}
