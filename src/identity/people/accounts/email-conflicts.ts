// E-mail addresses are unique across organizations, because people sign in with them. A conflict therefore discloses that
// an account exists in another organization: each is recorded, and an administrator gets at most twenty per hour.

import { CommittedRefusal } from '#core/http/guards.ts';
import type { Actor } from '#core/http/route.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { findSignInOwner } from '../records/sign-in-names.ts';

const windowMs = hourMs;
const maxConflicts = 20;

interface EmailConflictRow {
  readonly id: number;
  readonly organizationId: string | null;
  readonly userId: number;
  readonly at: string;
}

const EmailConflict = modelOf<EmailConflictRow>('email_conflict', { id: ['organizationId', 'id'] });

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Runs a write that sets an account's e-mail address. Throws RATE_LIMITED before the write once the caller has had twenty
 * conflicts with other organizations within an hour. A refused write leaves only its recorded conflict. Conflicts of SUPER
 * administrators and conflicts within the own organization do not count, because they disclose nothing.
 */
export async function withEmailConflictLimit<T>(
  caller: Caller,
  email: string,
  work: (trx: Trx) => Promise<T>,
): Promise<T> {
  const { trx, actor } = caller;
  if (actor.organizationId === null) return work(trx);
  await requireConflictsLeft(caller);
  try {
    return await trx.transaction((savepoint) => work(savepoint));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'EMAIL_EXISTS' || (await isVisible(trx, email))) throw error;
    await EmailConflict.query(trx).insert({
      organizationId: actor.organizationId,
      userId: actor.userId,
      at: caller.now.toISOString(),
    });
    throw new CommittedRefusal(error);
  }
}

/** Takes a lock per administrator, held until the transaction ends, so that concurrent requests cannot exceed the limit. */
async function requireConflictsLeft({ trx, actor, now }: Caller): Promise<void> {
  const { userId, organizationId } = actor;
  await acquireNamedLock(trx, 'emailConflicts', userId);
  const since = new Date(now.getTime() - windowMs);
  const conflicts: { at: string }[] = await EmailConflict.query(trx)
    .where({ organizationId, userId })
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(maxConflicts)
    .select('at');
  const oldest = conflicts[maxConflicts - 1];
  if (!oldest) return;
  const retryAfter = Math.ceil((new Date(oldest.at).getTime() - since.getTime()) / 1000);
  throw new AppError('RATE_LIMITED', 'Too many addresses that have an account elsewhere; wait and try again.', {
    retryAfter,
  });
}

const isVisible = async (trx: Trx, email: string) => (await findSignInOwner(trx, email)) !== undefined;

/** Deletes conflicts that are older than the window. */
export async function purgeOldConflicts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - windowMs);
  await inContext(db, 'SUPER', (trx) => EmailConflict.query(trx).where('at', '<=', before).delete().execute());
}
