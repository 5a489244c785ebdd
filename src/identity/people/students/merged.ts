// The refusal of writes about an account that was merged into another one.
import type { Knex } from 'knex';
import type { Trx } from '#core/platform/db.ts';
import { type AppError, conflict } from '#core/platform/errors.ts';
import { User } from '../records/users.ts';

export const mergedRefusal = (field = ''): AppError =>
  conflict('merged', 'This account was merged into another one. Name that one instead.', field);

/** Throws CONFLICT `merged` when one of the students that a write names was merged into another account. */
export async function refuseMerged(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  field = '',
): Promise<void> {
  if (studentIds.length === 0) return;
  const merged = await User.query(trx)
    .where({ organizationId, status: 'merged' })
    .whereRaw('id = any(?::bigint[])', [[...studentIds]])
    .select('id')
    .first();
  if (merged) throw mergedRefusal(field);
}

/** Returns a subquery for the id of the student who has the evidence of an account: its own id unless it was merged. */
export const studentOfAccount = (trx: Trx, organizationId: string | null, accountId: number): Knex.QueryBuilder =>
  User.query(trx)
    .where({ ...(organizationId !== null && { organizationId }), id: accountId })
    .select(trx.raw('coalesce(merged_into_id, id)'))
    .toKnexQuery();
