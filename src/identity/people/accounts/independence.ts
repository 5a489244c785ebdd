// Four eyes are two people, not two accounts: whoever holds an account's fate holds its vote. An approval is therefore
// refused while the account is fresh from the hands of those who wrote the text, or fresh altogether.
import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';

/** Columns of an account that decide who can act through it, and as what. */
const powers = ['email', 'password_hash', 'seats', 'status'];

export interface Approval {
  /** Whose work it is. */
  readonly writers: readonly (number | null)[];
  readonly approver: number;
  readonly now: Date;
}

type Waiting = Pick<Config, 'approverWaitHours'>;

/** How long the wait after something still lasts, in one place for all waits. */
export interface Wait {
  /** What was done after this counts. */
  readonly since: Date;
  /** From when on what was done `at` counts no more. */
  readonly endOf: (at: string) => Date;
}

/** Undefined where there is no wait. */
export function approverWait({ approverWaitHours }: Waiting, now: Date): Wait | undefined {
  if (approverWaitHours === 0) return undefined;
  const waitMs = approverWaitHours * hourMs;
  return {
    since: new Date(now.getTime() - waitMs),
    endOf: (at) => new Date(new Date(at).getTime() + waitMs),
  };
}

/** Throws PERMISSION_DENIED `approver_too_new` or `approver_not_independent`, with `until`. */
export async function requireIndependence(config: Waiting, trx: Trx, approval: Approval): Promise<void> {
  const { writers, approver, now } = approval;
  const wait = approverWait(config, now);
  if (!wait) return;
  const madeAt = await freshSince(trx, approver, wait.since);
  if (madeAt !== undefined) throw tooNew(wait.endOf(madeAt));
  const touchedAt = await lastTouch(trx, { by: writers, account: approver }, wait.since);
  if (touchedAt !== undefined) throw notIndependent(wait.endOf(touchedAt));
}

export const tooNew = (until: Date) =>
  refusal('approver_too_new', 'This account is too new to approve what others wrote.', until);

export const notIndependent = (until?: Date) =>
  refusal(
    'approver_not_independent',
    'Approver and writer are not two people who are independent of each other.',
    until,
  );

const refusal = (issue: string, message: string, until: Date | undefined) =>
  new AppError('PERMISSION_DENIED', message, {
    details: [{ field: '', issue, ...(until && { args: { until: until.toISOString() } }) }],
  });

/** When the account was made, after `since`. The very first administrator had nobody to be made by. */
async function freshSince(trx: Trx, userId: number, since: Date): Promise<string | undefined> {
  const first = trx('app_user').where({ scope: 'SUPER' }).min('id');
  const fresh: { createdAt: string } | undefined = await trx('app_user')
    .where({ id: userId })
    .where('createdAt', '>', since)
    .whereNot('id', first)
    .first('createdAt');
  return fresh?.createdAt;
}

interface Touch {
  readonly by: readonly (number | null)[];
  /** User id. */
  readonly account: number;
}

/**
 * When one of these people last made the account or changed who can act through it, after `since`. The record of changes
 * knows; nobody can write it otherwise.
 */
export async function lastTouch(trx: Trx, { by, account }: Touch, since: Date): Promise<string | undefined> {
  const home = trx('app_user').where({ id: account }).select('organizationId');
  const touched: { at: string } | undefined = await trx('audit_entry')
    .where('organizationId', home)
    .where({ entityId: String(account) })
    .whereIn(
      'actorUserId',
      by.filter((writer) => writer !== null && writer !== account),
    )
    .where('at', '>', since)
    .where((either) =>
      either
        .where({ entity: 'totp' })
        .orWhere((made) =>
          made.where({ entity: 'app_user' }).whereRaw('(action = ? or changed_fields && ?)', ['insert', powers]),
        ),
    )
    .orderBy('at', 'desc')
    .first('at');
  return touched?.at;
}

interface Attaching extends Touch {
  /** Class ids. */
  readonly classIds: readonly number[];
  readonly organizationId: string | null;
}

/** When one of these people last made the account a teacher of one of the classes, after `since`. */
export async function lastAttached(trx: Trx, attaching: Attaching, since: Date): Promise<string | undefined> {
  const { by, account, classIds, organizationId } = attaching;
  const attached: { at: string } | undefined = await trx('audit_entry')
    .where({ organizationId: storedOrganization(organizationId), entity: 'class_teacher', action: 'insert' })
    .whereIn('entityId', classIds.map(String))
    .whereIn(
      'actorUserId',
      by.filter((writer) => writer !== null),
    )
    .where('at', '>', since)
    .whereRaw("(after ->> 'teacher_user_id')::bigint = ?", [account])
    .orderBy('at', 'desc')
    .first('at');
  return attached?.at;
}
