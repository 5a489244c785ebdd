// A signed-in caller's try with the own password: counted with the tries of the login, so that a stolen access token
// cannot be used to guess faster than a login could.
import { CommittedRefusal } from '../../http/guards.ts';
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import type { AppError } from '../../platform/errors.ts';
import { lockAccount, type User } from '../records/users.ts';
import { claimAttempt, clearFailures, loginByEmail } from './attempts.ts';
import { subjectOf } from './limits.ts';
import { recordLock } from './lock-events.ts';

interface Caller {
  readonly services: Services;
  readonly trx: Trx;
  readonly clientIp: string;
  readonly now: Date;
}

export interface OwnAttempt {
  /** What to throw: the counted failure stays, with the event of the lock that it may begin. */
  refused(refusal: AppError): Promise<CommittedRefusal>;
  passed(): Promise<void>;
}

/** BRUTE_FORCE_LOCKED, RATE_LIMITED: see `claimAttempt`. */
export async function claimOwnAttempt(
  { services, trx, clientIp, now }: Caller,
  account: Pick<User, 'id' | 'organizationId' | 'email'>,
): Promise<OwnAttempt> {
  await lockAccount(trx, account, 'change');
  const subject = subjectOf(services, loginByEmail, account.email ?? `user:${account.id}`);
  const locks = await claimAttempt(trx, subject, now);
  return {
    async refused(refusal) {
      if (locks) await recordLock(services, trx, subject, { clientIp, account }, now);
      return new CommittedRefusal(refusal);
    },
    passed: () => clearFailures(trx, subject),
  };
}
