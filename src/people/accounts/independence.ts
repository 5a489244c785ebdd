// Four eyes are two people, not two accounts: whoever holds an account's fate holds its vote. An approval is therefore
// refused while the account is fresh from the hands of those who wrote the text, or fresh altogether.
import type { Config } from '../../platform/config/config.ts';
import type { Trx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';

const hourMs = 3_600_000;

export interface Approval {
  /** Whose work it is. */
  readonly writers: readonly (number | null)[];
  readonly approver: number;
  readonly now: Date;
}

/** Throws PERMISSION_DENIED `approver_too_new` or `approver_not_independent`. */
export async function requireIndependence(
  { approverWaitHours }: Pick<Config, 'approverWaitHours'>,
  trx: Trx,
  { writers, approver, now }: Approval,
): Promise<void> {
  if (approverWaitHours === 0) return;
  const since = new Date(now.getTime() - approverWaitHours * hourMs);
  if (await isFresh(trx, approver, since)) {
    throw notIndependent('approver_too_new', 'This account is too new to approve what others wrote.');
  }
  if (await touchedBy(trx, writers, approver, since)) {
    throw notIndependent('approver_not_independent', 'Whoever wrote this has just made or changed your account.');
  }
}

const notIndependent = (issue: string, message: string) =>
  new AppError('PERMISSION_DENIED', message, { details: [{ field: '', issue }] });

/** The very first administrator had nobody to be made by. */
async function isFresh(trx: Trx, userId: number, since: Date): Promise<boolean> {
  const first = trx('app_user').where({ scope: 'SUPER' }).min('id');
  const fresh = await trx('app_user')
    .where({ id: userId })
    .where('createdAt', '>', since)
    .whereNot('id', first)
    .first('id');
  return fresh !== undefined;
}

/** The record of changes knows who made, changed, closed or opened an account; nobody can write it otherwise. */
async function touchedBy(trx: Trx, writers: Approval['writers'], userId: number, since: Date): Promise<boolean> {
  const touched = await trx('audit_entry')
    .where({ entity: 'app_user', entityId: String(userId) })
    .whereIn(
      'actorUserId',
      writers.filter((writer) => writer !== null),
    )
    .where('at', '>', since)
    .first('id');
  return touched !== undefined;
}
