// The locks of a roll-over and of its undo: people, the school, its classes.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { School, SchoolClass } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import type { SchoolKey } from './plan.ts';

/** Locks accounts, by id, until the transaction ends, and returns those that exist. */
export async function lockAccounts(
  trx: Trx,
  organizationId: string,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const accounts = User.query(trx)
    .where({ organizationId })
    .whereRaw('id = any(?::bigint[])', [[...userIds]])
    .orderBy('id')
    .select('id');
  const found = await lockRows('account', 'change', accounts);
  return new Set(found.map(({ id }) => id));
}

/** Serializes the roll-overs of a school: no class is made in it, and none of the classes changes, until the transaction ends. */
export async function lockSchool(
  trx: Trx,
  { organizationId, schoolId }: SchoolKey,
  years: readonly string[],
): Promise<void> {
  const school = School.query(trx).findOne({ id: schoolId, organizationId });
  if (!(await lockRows('school', 'change', school))) throw notFound();
  const classes = SchoolClass.query(trx)
    .where({ organizationId, schoolId })
    .whereIn('academicYear', [...years]);
  await lockRows('class', 'change', classes.orderBy('id').select('id'));
}
