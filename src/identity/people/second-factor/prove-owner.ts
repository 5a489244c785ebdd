// Re-authentication before an action that could hand an account over: the password, and the second factor if one is in use.
// Each wrong proof is counted as a failed login.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { withReservedAttempt } from '../attempts/attempt-reservations.ts';
import { loginSubjects } from '../attempts/attempt-subjects.ts';
import { passwordMatches } from '../credentials/passwords.ts';
import { AuthSession, type User } from '../records/users.ts';
import { requireSecondFactor } from './verify.ts';

type Owner = Pick<User, 'id' | 'organizationId' | 'email' | 'passwordHash'>;

export interface Proof {
  /** Undefined counts as a wrong password. */
  readonly password: string | undefined;
  /** `not asked` when the password suffices. */
  readonly totp: string | undefined | 'not asked';
  readonly clientIp: string;
}

/**
 * Throws INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED and, after too many failures, BRUTE_FORCE_LOCKED. The password is
 * verified against `owner.passwordHash`; no transaction is open while it is hashed.
 */
export function proveOwner(services: Services, owner: Owner, proof: Proof, now: Date): Promise<void> {
  const { password = '', totp, clientIp } = proof;
  const subjects = loginSubjects(services, { email: owner.email ?? `user:${owner.id}`, clientIp });
  return withReservedAttempt(services, { ...subjects, clientIp }, async (attempt) => {
    if (!(await passwordMatches(owner.passwordHash, password))) {
      await attempt.recordFailure(owner);
      throw wrongPassword();
    }
    if (totp !== 'not asked') await requireSecondFactor(services, owner, { attempt, code: totp, clientIp }, now);
    await inContext(services.db, 'SUPER', (trx) => attempt.recordSuccess(trx));
  });
}

export const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The password is wrong or missing.');

const freshMs = 5 * minuteMs;

/** Returns true when the session was opened by Google within the last five minutes, which replaces the password. */
export async function isFreshFromGoogle(trx: Trx, sessionId: string, now: Date): Promise<boolean> {
  const session = await AuthSession.query(trx).findOne({ id: sessionId }).select('openedBy', 'createdAt');
  return session?.openedBy === 'google' && now.getTime() - Date.parse(session.createdAt) < freshMs;
}
