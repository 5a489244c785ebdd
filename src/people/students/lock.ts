// The one lock of students: whoever changes what belongs to one waits here for whoever does so already.
import type { Trx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { lockRows } from '../../platform/locks.ts';
import { User } from '../records/users.ts';

/** Until the transaction ends. NOT_FOUND where one of them is no student, or was erased meanwhile. */
export async function lockStudents(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const living = User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .select('id');
  const found = await lockRows('account', 'change', living);
  if (found.length !== new Set(studentIds).size) throw notFound();
}
