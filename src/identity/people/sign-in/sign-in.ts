// The ways in: the bootstrap registration, and e-mail with password.

import { timingSafeEqual } from 'node:crypto';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError, denied } from '#core/platform/errors.ts';
import { acquireLock, lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { loginSubjects } from '../attempts/limits.ts';
import { inOwnTurn, type Try } from '../attempts/places.ts';
import { hashPassword, passwordMatches, requireFitPassword } from '../credentials/passwords.ts';
import { nameForSignIn, normalEmail, ownerOfName, type UserKey } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { passSecondFactor } from '../second-factor/login.ts';
import { openSession, type TokenPair } from '../sessions/sessions.ts';

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly fullNameAr: string;
}

/** Throws PERMISSION_DENIED once a SUPER admin exists, or when the configured bootstrap token is not presented. */
export async function admitRegistration(services: Services, presented: string | undefined): Promise<void> {
  const expected = services.config.bootstrapToken;
  const tokenFits = expected === undefined || sameText(expected, presented ?? '');
  if (!tokenFits || (await inContext(services.db, 'SUPER', superAdminExists))) throw registrationClosed();
}

const sameText = (a: string, b: string) => timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));

const registrationClosed = () => denied('Registration is closed; an administrator can create your account.');

export async function superAdminExists(trx: Trx): Promise<boolean> {
  return (await User.query(trx).findOne({ scope: 'SUPER' }).select('id')) !== undefined;
}

export async function registerSuperAdmin<Said>(
  services: Services,
  registration: Registration,
  now: Date,
  answer: (made: { user: User; tokens: TokenPair }) => Said,
): Promise<Said> {
  requireFitPassword(registration.password, { email: registration.email, primaryPersona: 'ADMIN' });
  const passwordHash = await hashPassword(registration.password);
  return inContext(services.db, 'SUPER', async (trx) => {
    // Of two registrations at once exactly one wins.
    await acquireLock(trx, 'bootstrap');
    if (await superAdminExists(trx)) throw registrationClosed();
    const user = await User.query(trx).insertAndFetch({
      organizationId: null,
      scope: 'SUPER',
      primaryPersona: 'ADMIN',
      email: normalEmail(registration.email),
      fullNameAr: registration.fullNameAr,
      passwordHash,
      createdAt: now.toISOString(),
    });
    await nameForSignIn(trx, user, user.email);
    return answer({ user, tokens: await openSession(trx, services.tokens, user, now) });
  });
}

/** The same two statements whether or not the address has an account: nothing tells by its work. */
export async function userByEmail(trx: Trx, email: string): Promise<User | undefined> {
  return userOf(trx, (await ownerOfName(trx, email)) ?? unknownCaller);
}

/** Ids begin at 1. */
const unknownCaller: UserKey = { organizationId: null, userId: 0 };

const userOf = (trx: Trx, { organizationId, userId }: UserKey) =>
  User.query(trx).findOne({ organizationId: storedOrganization(organizationId), id: userId });

export interface LoginTry {
  readonly email: string;
  readonly password: string;
  readonly clientIp: string;
  /** Six digits, or a recovery code. */
  readonly totp?: string;
}

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', 'E-mail address or password is wrong.');

/**
 * Unknown e-mail, wrong password and deactivated account: the same answer after the same work. BRUTE_FORCE_LOCKED after
 * too many of them, whether or not the address has an account. SECOND_FACTOR_REQUIRED: see `passSecondFactor`.
 */
export function signIn<Said extends object>(
  services: Services,
  input: LoginTry,
  now: Date,
  answer: (pair: TokenPair) => Said,
): Promise<Said> {
  const from = { email: normalEmail(input.email), clientIp: input.clientIp };
  return inOwnTurn(services, { ...loginSubjects(services, from), clientIp: input.clientIp }, async (attempt) => {
    const user = await findForSignIn(services.db, from.email);
    const matches = await passwordMatches(user?.passwordHash, input.password);
    if (user?.status === 'active' && matches) {
      const entered = await enter(services, { attempt, user, input }, now, answer);
      if (entered) return entered;
    }
    await attempt.failed(user);
    throw wrongCredentials();
  });
}

/** undefined where the account was closed, or its password changed, while the old one was being checked. */
async function enter<Said>(
  services: Services,
  { attempt, user, input: { totp, clientIp } }: { attempt: Try; user: User; input: LoginTry },
  now: Date,
  answer: (pair: TokenPair) => Said,
): Promise<Said | undefined> {
  const secondFactor = await passSecondFactor(services, user, { attempt, code: totp, clientIp }, now);
  return inContext(services.db, 'SUPER', async (trx) => {
    const account = userOf(trx, { organizationId: user.organizationId, userId: user.id });
    const current = await lockRows('account', 'share', account);
    if (current?.status !== 'active' || current.passwordHash !== user.passwordHash) return undefined;
    const answered = answer(await openSession(trx, services.tokens, user, now, { secondFactor }));
    await attempt.passed(trx);
    return answered;
  });
}

const findForSignIn = (db: Db, email: string) => inContext(db, 'SUPER', (trx) => userByEmail(trx, email));
