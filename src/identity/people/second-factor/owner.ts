// Proofs that the person at a session is the owner of the account, asked for before what would hand the account over: the
// password, and the second factor where one is in use. Each wrong proof is counted as a failed login is.
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { loginSubjects } from '../attempts/limits.ts';
import { inOwnTurn } from '../attempts/places.ts';
import { passwordMatches } from '../credentials/passwords.ts';
import { AuthSession, type User } from '../records/users.ts';
import { passSecondFactor } from './login.ts';

type Owner = Pick<User, 'id' | 'organizationId' | 'email' | 'passwordHash'>;

export interface Proof {
  /** Undefined: none was sent, which is a wrong one. */
  readonly password: string | undefined;
  /** `not asked`: the password suffices. */
  readonly totp: string | undefined | 'not asked';
  readonly clientIp: string;
}

/**
 * Holds no transaction while it hashes. Throws INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED and, after too many of them,
 * BRUTE_FORCE_LOCKED. The proof is of the password that the account has now.
 */
export function proveOwner(services: Services, owner: Owner, proof: Proof, now: Date): Promise<void> {
  const { password = '', totp, clientIp } = proof;
  const subjects = loginSubjects(services, { email: owner.email ?? `user:${owner.id}`, clientIp });
  return inOwnTurn(services, { ...subjects, clientIp }, async (attempt) => {
    if (!(await passwordMatches(owner.passwordHash, password))) {
      await attempt.failed(owner);
      throw wrongPassword();
    }
    if (totp !== 'not asked') await passSecondFactor(services, owner, { attempt, code: totp, clientIp }, now);
    await inContext(services.db, 'SUPER', (trx) => attempt.passed(trx));
  });
}

export const wrongPassword = () => new AppError('INVALID_CREDENTIALS', 'The password is wrong or missing.');

const freshMs = 5 * minuteMs;

/** Whether Google has opened this session within five minutes, which is as good as a password. */
export async function isFreshFromGoogle(trx: Trx, sessionId: string, now: Date): Promise<boolean> {
  const session = await AuthSession.query(trx).findOne({ id: sessionId }).select('openedBy', 'createdAt');
  return session?.openedBy === 'google' && now.getTime() - Date.parse(session.createdAt) < freshMs;
}
