// The four-eyes principle needs two people, not two accounts. An approval is refused while the approver's account is new,
// or while a writer of the text has recently created or changed it: a writer in control of the account could approve.
import { StoredAuditEntry } from '#core/module/audit-writer.ts';
import type { Config } from '#core/platform/config/config.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { User } from '../records/users.ts';

/** Columns of an account that decide who can act through it, and with which rights. */
const accessColumns = ['email', 'password_hash', 'seats', 'status'];

export interface Approval {
  /** User ids of those who wrote the text. */
  readonly writers: readonly (number | null)[];
  readonly approver: number;
  readonly now: Date;
  /** What writers did to the account after this instant counts too, however long ago it is: since the text was begun. */
  readonly since?: Date;
}

type WaitConfig = Pick<Config, 'approverWaitHours'>;

/** The waiting period after a change to an account. */
export interface Wait {
  /** Changes after this instant count. */
  readonly since: Date;
  /** Returns the instant from which a change made `at` no longer counts. */
  readonly endOf: (at: string) => Date;
}

/** Returns undefined when no waiting period is configured. */
export function approverWait({ approverWaitHours }: WaitConfig, now: Date): Wait | undefined {
  if (approverWaitHours === 0) return undefined;
  const waitMs = approverWaitHours * hourMs;
  return {
    since: new Date(now.getTime() - waitMs),
    endOf: (at) => new Date(new Date(at).getTime() + waitMs),
  };
}

/** Throws PERMISSION_DENIED `approver_too_new` or `approver_not_independent`, with the end of the wait as `until`. */
export async function requireIndependence(config: WaitConfig, trx: Trx, approval: Approval): Promise<void> {
  const { writers, approver, now, since } = approval;
  const wait = approverWait(config, now);
  if (!wait) return;
  const createdAt = await createdSince(trx, approver, wait.since);
  if (createdAt !== undefined) throw tooNew(wait.endOf(createdAt));
  const from = since && since < wait.since ? since : wait.since;
  const changedAt = await lastAccountChange(trx, { by: writers, account: approver }, from);
  if (changedAt === undefined) return;
  throw notIndependent(new Date(changedAt) > wait.since ? wait.endOf(changedAt) : undefined);
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

/** What happened to an account that may keep it from approving what others wrote. */
export interface AccountActs {
  /** The account is too new to approve anything. */
  readonly isTooNew: boolean;
  /** Changes by others of who may act through it. */
  readonly changes: readonly { readonly actorUserId: number; readonly at: string }[];
  /** Later changes count in any case. */
  readonly since: Date;
}

/** Returns undefined when no waiting period is configured. `earliest`: the beginning of the oldest text. */
export async function accountActs(
  config: WaitConfig,
  trx: Trx,
  account: number,
  { earliest, now }: { readonly earliest: Date; readonly now: Date },
): Promise<AccountActs | undefined> {
  const wait = approverWait(config, now);
  if (!wait) return undefined;
  const from = earliest < wait.since ? earliest : wait.since;
  const changes: { actorUserId: number; at: string }[] = await accountChanges(trx, account, from)
    .whereNot('actorUserId', account)
    .select('actorUserId', 'at');
  return { isTooNew: (await createdSince(trx, account, wait.since)) !== undefined, changes, since: wait.since };
}

/** Returns when the account was created, if after `since`. The first administrator is exempt: no account existed before. */
async function createdSince(trx: Trx, userId: number, since: Date): Promise<string | undefined> {
  const first = User.query(trx).where({ scope: 'SUPER' }).min('id');
  const created: { createdAt: string } | undefined = await User.query(trx)
    .where({ id: userId })
    .where('createdAt', '>', since)
    .whereNot('id', first)
    .select('createdAt')
    .first();
  return created?.createdAt;
}

interface ChangeBy {
  /** User ids. */
  readonly by: readonly (number | null)[];
  /** User id of the changed account. */
  readonly account: number;
}

/**
 * Returns when one of these people last created the account or changed who can act through it, if after `since`. The source
 * is the record of changes, which only the service writes.
 */
export async function lastAccountChange(trx: Trx, { by, account }: ChangeBy, since: Date): Promise<string | undefined> {
  const changed: { at: string } | undefined = await accountChanges(trx, account, since)
    .whereIn(
      'actorUserId',
      by.filter((writer) => writer !== null && writer !== account),
    )
    .orderBy('at', 'desc')
    .select('at')
    .first();
  return changed?.at;
}

/** The entries after `since` that the account was created, or that who can act through it was changed. */
function accountChanges(trx: Trx, account: number, since: Date) {
  const home = User.query(trx).where({ id: account }).select('organizationId');
  return StoredAuditEntry.query(trx)
    .where('organizationId', home)
    .where({ entityId: String(account) })
    .where('at', '>', since)
    .where((either) =>
      either
        .where({ entity: 'totp' })
        .orWhere((creation) =>
          creation
            .where({ entity: 'app_user' })
            .whereRaw('(action = ? or changed_fields && ?)', ['insert', accessColumns]),
        ),
    );
}

interface AttachmentBy extends ChangeBy {
  /** Class ids. */
  readonly classIds: readonly number[];
  readonly organizationId: string | null;
}

/** Returns when one of these people last made the account a teacher of one of the classes, if after `since`. */
export async function lastAttached(trx: Trx, attachment: AttachmentBy, since: Date): Promise<string | undefined> {
  const { by, account, classIds, organizationId } = attachment;
  const attached: { at: string } | undefined = await StoredAuditEntry.query(trx)
    .where({ organizationId: storedOrganization(organizationId), entity: 'class_teacher', action: 'insert' })
    .whereIn('entityId', classIds.map(String))
    .whereIn(
      'actorUserId',
      by.filter((writer) => writer !== null),
    )
    .where('at', '>', since)
    .whereRaw("(after ->> 'teacher_user_id')::bigint = ?", [account])
    .orderBy('at', 'desc')
    .select('at')
    .first();
  return attached?.at;
}
