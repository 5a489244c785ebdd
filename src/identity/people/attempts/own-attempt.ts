// Attempts of signed-in callers: with their own password, counted together with logins, so that a stolen access token does
// not allow faster guessing; with a second factor; and of a student with the join code of a live lesson.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { AppError } from '#core/platform/errors.ts';
import { lockAccount, type User } from '../records/users.ts';
import { subjectOf } from './attempt-subjects.ts';
import { type AttemptSubject, claimAttempt, clearFailures, joinCodeByStudent, loginByEmail } from './attempts.ts';
import { recordLock } from './lock-events.ts';

/** For a second factor after an external sign-in. Throws BRUTE_FORCE_LOCKED after too many wrong ones. */
export const claimFactorAttempt = (caller: Caller, account: Account): Promise<OwnAttempt> =>
  claim(caller, subjectOf(caller.services, loginByEmail, `second factor of ${account.id}`), account);

interface Caller {
  readonly services: Services;
  readonly trx: Trx;
  readonly clientIp: string;
  readonly now: Date;
}

export interface OwnAttempt {
  /** Returns the error to throw: it commits the counted failure, and the event of the lock if one begins. */
  committedRefusal(refusal: AppError): Promise<CommittedRefusal>;
  recordSuccess(): Promise<void>;
}

type Account = Pick<User, 'id' | 'organizationId'>;

/** Throws BRUTE_FORCE_LOCKED and RATE_LIMITED, see `claimAttempt`. */
export async function claimOwnAttempt(caller: Caller, account: Account & Pick<User, 'email'>): Promise<OwnAttempt> {
  await lockAccount(caller.trx, account, 'change');
  return claim(caller, subjectOf(caller.services, loginByEmail, account.email ?? `user:${account.id}`), account);
}

/** Throws RATE_LIMITED after too many wrong codes, even for a right one. */
export async function claimJoinAttempt(caller: Caller, student: Account): Promise<OwnAttempt> {
  await lockAccount(caller.trx, student, 'exist');
  return claim(caller, subjectOf(caller.services, joinCodeByStudent, `join codes of ${student.id}`), student);
}

async function claim(caller: Caller, subject: AttemptSubject, account: Account): Promise<OwnAttempt> {
  const { services, trx, clientIp, now } = caller;
  const beginsLock = await claimAttempt(trx, subject, now);
  return {
    async committedRefusal(refusal) {
      if (beginsLock) await recordLock(services, trx, subject, { clientIp, account }, now);
      return new CommittedRefusal(refusal);
    },
    recordSuccess: () => clearFailures(trx, subject),
  };
}
