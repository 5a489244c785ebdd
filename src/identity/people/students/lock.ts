// The lock of students: it serializes all changes of data that belongs to a student.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { UserStatus } from '../records/enums.ts';
import { User } from '../records/users.ts';
import { mergedRefusal } from './merged.ts';

/** Locks students until the transaction ends. Throws NOT_FOUND when one of them is no student or was erased. */
export async function lockStudents(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<void> {
  requireAll(await lockExisting(trx, organizationId, studentIds), studentIds);
}

/** Locks students as `lockStudents` does, for a write that names them. Throws CONFLICT `merged` for a merged account. */
export async function lockWritableStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> {
  const found = await lockExisting(trx, organizationId, studentIds);
  requireAll(found, studentIds);
  if (found.some(({ status }) => status === 'merged')) throw mergedRefusal();
}

function requireAll(found: readonly LockedStudent[], studentIds: readonly number[]): void {
  if (found.length !== new Set(studentIds).size) throw notFound();
}

/** Locks those among the ids who are students and were not erased, and returns their ids. */
export async function lockLivingStudents(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<number[]> {
  const found = await lockExisting(trx, organizationId, studentIds);
  return found.map(({ id }) => id);
}

interface LockedStudent {
  readonly id: number;
  readonly status: UserStatus;
}

function lockExisting(trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<LockedStudent[]> {
  const living = User.query(trx)
    .where({ organizationId })
    .whereRaw('id = any(?::bigint[])', [[...studentIds]])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id')
    .select('id', 'status')
    .toKnexQuery<LockedStudent>()
    .options(keptPlan);
  return lockRows('account', 'change', living) as unknown as Promise<LockedStudent[]>;
}
