// Accounts of a roster, many in one statement. They have neither password nor code: who they are is known elsewhere.
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { UserStatus } from '../records/enums.ts';

interface NewAccount {
  readonly primaryPersona: 'STUDENT' | 'TEACHER' | 'PARENT';
  readonly fullNameAr: string;
  readonly email: string | null;
}

/** Answers their ids, in order. */
export async function insertAccounts(
  trx: Trx,
  organizationId: string,
  accounts: readonly NewAccount[],
  now: Date,
): Promise<number[]> {
  if (accounts.length === 0) return [];
  const rows = accounts.map((account) => ({ organizationId, scope: 'ORGANIZATION', ...account, createdAt: now }));
  const inserted: { id: number }[] = await trx('app_user').insert(rows).returning('id');
  return inserted.map(({ id }) => id);
}

export interface AccountChange {
  readonly userId: number;
  readonly fullNameAr?: string;
  /** Null takes it away. */
  readonly email?: string | null;
  readonly status?: Exclude<UserStatus, 'deleted'>;
}

/** The rows are locked. */
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
  await trx('app_user')
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

interface Named {
  readonly userId: number;
  /** Null: none any more. */
  readonly email: string | null;
}

/** An address or an identity has become somebody else's since it was looked up. */
export class TakenMeanwhile extends Error {
  override readonly name = 'TakenMeanwhile';
}

/** Gives people their addresses. Throws TakenMeanwhile; the transaction can do nothing more then. */
export async function nameAccounts(trx: Trx, organizationId: string, named: readonly Named[]): Promise<void> {
  const gone = named.filter(({ email }) => email === null).map(({ userId }) => userId);
  if (gone.length > 0) await trx('sign_in_name').where({ organizationId }).whereIn('userId', gone).delete();
  const given = named.filter(({ email }) => email !== null);
  if (given.length === 0) return;
  await trx('sign_in_name')
    .insert(given.map(({ userId, email }) => ({ organizationId, userId, email })))
    .onConflict(['organizationId', 'userId'])
    .merge(['email'])
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'sign_in_name_pkey' ? new TakenMeanwhile() : error;
    });
}

/** Sessions of people who are closed end at once; who has another address signs in by it anew. */
export async function endSessions(
  trx: Trx,
  organizationId: string,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return;
  await trx('auth_session')
    .where({ organizationId })
    .whereIn('userId', [...userIds])
    .whereNull('revokedAt')
    .update({ revokedAt: now, revokedReason: 'deactivated' });
}

/** Where the organization is. */
export async function todayOf(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const { timeZone } = await trx('organization').where({ id: organizationId }).first('timeZone');
  return localDate(now, timeZone);
}
