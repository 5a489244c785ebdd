// A signed-in caller's try with the own password: counted with the tries of the login, so that a stolen access token
// cannot be used to guess faster than a login could. And a student's try with the code of a live session.
import { CommittedRefusal } from '#core/http/guards.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { AppError } from '#core/platform/errors.ts';
import { lockAccount, type User } from '../records/users.ts';
import { claimAttempt, clearFailures, joinCodeByStudent, loginByEmail, type Subject } from './attempts.ts';
import { subjectOf } from './limits.ts';
import { recordLock } from './lock-events.ts';

/** A second factor that is shown after the identity was proven elsewhere. BRUTE_FORCE_LOCKED after too many wrong ones. */
export const claimFactorAttempt = (caller: Caller, account: Account): Promise<OwnAttempt> =>
  claim(caller, subjectOf(caller.services, loginByEmail, `second factor of ${account.id}`), account);

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

type Account = Pick<User, 'id' | 'organizationId'>;

/** BRUTE_FORCE_LOCKED, RATE_LIMITED: see `claimAttempt`. */
export async function claimOwnAttempt(caller: Caller, account: Account & Pick<User, 'email'>): Promise<OwnAttempt> {
  await lockAccount(caller.trx, account, 'change');
  return claim(caller, subjectOf(caller.services, loginByEmail, account.email ?? `user:${account.id}`), account);
}

/** RATE_LIMITED after too many wrong codes, whatever is tried then. */
export async function claimJoinAttempt(caller: Caller, student: Account): Promise<OwnAttempt> {
  await lockAccount(caller.trx, student, 'exist');
  return claim(caller, subjectOf(caller.services, joinCodeByStudent, `join codes of ${student.id}`), student);
}

async function claim(caller: Caller, subject: Subject, account: Account): Promise<OwnAttempt> {
  const { services, trx, clientIp, now } = caller;
  const locks = await claimAttempt(trx, subject, now);
  return {
    async refused(refusal) {
      if (locks) await recordLock(services, trx, subject, { clientIp, account }, now);
      return new CommittedRefusal(refusal);
    },
    passed: () => clearFailures(trx, subject),
  };
}
