// E-mail addresses are unique over all organizations, because people sign in with them. So a refusal tells an
// administrator who is elsewhere: it can be had twenty times an hour, and leaves an entry in the record of changes.

import { CommittedRefusal } from '#core/http/guards.ts';
import type { Actor } from '#core/http/route.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { ownerOfName } from '../records/sign-in-names.ts';

const windowMs = hourMs;
const maxConflicts = 20;

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Runs a write that gives somebody the address. RATE_LIMITED before anything is learnt, once the caller has met twenty
 * foreign addresses within an hour. A refused write leaves nothing but the count. SUPER administrators see everybody
 * anyway, and an account of the own organization is no secret: neither counts.
 */
export async function givingEmail<T>(caller: Caller, email: string, work: (trx: Trx) => Promise<T>): Promise<T> {
  const { trx, actor } = caller;
  if (actor.organizationId === null) return work(trx);
  await requireConflictsLeft(caller);
  try {
    return await trx.transaction((savepoint) => work(savepoint));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'EMAIL_EXISTS' || (await isVisible(trx, email))) throw error;
    await trx('email_conflict').insert({
      organizationId: actor.organizationId,
      userId: actor.userId,
      at: caller.now,
    });
    throw new CommittedRefusal(error);
  }
}

/** Tries of one administrator take turns from here to their end, so that twenty means twenty. */
async function requireConflictsLeft({ trx, actor, now }: Caller): Promise<void> {
  const { userId, organizationId } = actor;
  await acquireNamedLock(trx, 'emailConflicts', userId);
  const since = new Date(now.getTime() - windowMs);
  const met: { at: string }[] = await trx('email_conflict')
    .where({ organizationId, userId })
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(maxConflicts)
    .select('at');
  const oldest = met[maxConflicts - 1];
  if (!oldest) return;
  const retryAfter = Math.ceil((new Date(oldest.at).getTime() - since.getTime()) / 1000);
  throw new AppError('RATE_LIMITED', 'Too many addresses that have an account elsewhere; wait and try again.', {
    retryAfter,
  });
}

const isVisible = async (trx: Trx, email: string) => (await ownerOfName(trx, email)) !== undefined;

/** Conflicts that no window holds any more. */
export async function purgeOldConflicts(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - windowMs);
  await inContext(db, 'SUPER', (trx) => trx('email_conflict').where('at', '<=', before).delete());
}
