// Locks for class-wide work on groups: the row of the class is locked before anything else.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { SchoolClass, User } from '#identity/people/index.ts';
import type { ClassKey } from './class-groups.ts';

/** Locks the class until the transaction ends. Throws NOT_FOUND for a class that has been removed. */
export async function lockClass(trx: Trx, { id, organizationId }: ClassKey): Promise<void> {
  const row = SchoolClass.query(trx).findOne({ id, organizationId }).select('id');
  if (!(await lockRows('class', 'change', row))) throw notFound();
}

/**
 * Called before the class is locked: the first lock of a student's support adds a row that refers to the account, and would
 * wait for a transaction that removes it.
 */
export async function keepStudents(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const accounts = User.query(trx)
    .where({ organizationId })
    .whereIn('id', [...studentIds])
    .orderBy('id')
    .select('id');
  await lockRows('account', 'exist', accounts);
}
