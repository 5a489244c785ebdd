// Writes of a roster's accounts, many per statement. These accounts sign in through a provider and have no password.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { UserStatus } from '../records/enums.ts';
import { Organization } from '../records/organizations.ts';
import { AuthSession, SignInName, User } from '../records/users.ts';

interface NewAccount {
  readonly primaryPersona: 'STUDENT' | 'TEACHER' | 'PARENT';
  readonly fullNameAr: string;
  readonly email: string | null;
}

/** Returns the new ids, in the order of `accounts`. */
export async function insertAccounts(
  trx: Trx,
  organizationId: string,
  accounts: readonly NewAccount[],
  now: Date,
): Promise<number[]> {
  if (accounts.length === 0) return [];
  const made = { organizationId, scope: 'ORGANIZATION', createdAt: now.toISOString() } as const;
  const rows = accounts.map((account) => ({ ...made, ...account }));
  const inserted: { id: number }[] = await User.query(trx).insert(rows).returning('id');
  return inserted.map(({ id }) => id);
}

export interface AccountChange {
  readonly userId: number;
  readonly fullNameAr?: string;
  /** Null removes the address. */
  readonly email?: string | null;
  readonly status?: Exclude<UserStatus, 'merged' | 'deleted'>;
}

/** Changes many accounts in one statement. The caller holds the locks of the accounts. */
export async function changeAccounts(
  trx: Trx,
  organizationId: string,
  changes: readonly AccountChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const byId = JSON.stringify(Object.fromEntries(changes.map(({ userId, ...change }) => [userId, change])));
  const changed = (field: string, column: string) =>
    trx.raw(
      `case when jsonb_exists(?::jsonb -> id::text, '${field}') then ?::jsonb -> id::text ->> '${field}' else ${column} end`,
      [byId, byId],
    );
  await User.query(trx)
    .where({ organizationId })
    .whereIn(
      'id',
      changes.map(({ userId }) => userId),
    )
    .update({
      fullNameAr: changed('fullNameAr', 'full_name_ar'),
      email: changed('email', 'email'),
      status: changed('status', 'status'),
    });
}

interface SignInEmail {
  readonly userId: number;
  /** Null removes the address. */
  readonly email: string | null;
}

/** Another account got an e-mail address or an identity after the roster had checked that it was free. */
export class UniquenessConflict extends Error {
  override readonly name = 'UniquenessConflict';
}

/** Sets or removes sign-in addresses. Throws UniquenessConflict, after which the transaction is aborted. */
export async function setSignInEmails(trx: Trx, organizationId: string, emails: readonly SignInEmail[]): Promise<void> {
  const removed = emails.filter(({ email }) => email === null).map(({ userId }) => userId);
  if (removed.length > 0) await SignInName.query(trx).where({ organizationId }).whereIn('userId', removed).delete();
  const set = emails.flatMap(({ userId, email }) => (email === null ? [] : [{ organizationId, userId, email }]));
  if (set.length === 0) return;
  await SignInName.query(trx)
    .insert(set)
    .onConflict(['organizationId', 'userId'])
    .merge(['email'])
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'sign_in_name_pkey' ? new UniquenessConflict() : error;
    });
}

/** Revokes all sessions of accounts that were deactivated or got another address. */
export async function endSessions(
  trx: Trx,
  organizationId: string,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return;
  await AuthSession.query(trx)
    .where({ organizationId })
    .whereIn('userId', [...userIds])
    .whereNull('revokedAt')
    .update({ revokedAt: now.toISOString(), revokedReason: 'deactivated' });
}

/** Returns the organization's local date. */
export async function todayOf(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return localDate(now, timeZone);
}
