// The bootstrap registration, and sign-in with e-mail address and password.

import { timingSafeEqual } from 'node:crypto';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { AppError, denied } from '#core/platform/errors.ts';
import { acquireLock, lockRows } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { type Attempt, withReservedAttempt } from '../attempts/attempt-reservations.ts';
import { loginSubjects } from '../attempts/attempt-subjects.ts';
import { openSession, type Respond, type TokenPair } from '../auth-sessions/auth-sessions.ts';
import { hashPassword, passwordMatches, requireFitPassword } from '../credentials/passwords.ts';
import { findSignInOwner, normalEmail, setSignInEmail, type UserKey } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { requireSecondFactor } from '../second-factor/verify.ts';

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly fullNameAr: string;
}

/** Throws PERMISSION_DENIED once a SUPER administrator exists, or when the configured bootstrap token was not sent. */
export async function requireRegistrationOpen(services: Services, token: string | undefined): Promise<void> {
  const expected = services.config.bootstrapToken;
  const isTokenValid = expected === undefined || isSameText(expected, token ?? '');
  if (!isTokenValid || (await inContext(services.db, 'SUPER', superAdminExists))) throw registrationClosed();
}

const isSameText = (a: string, b: string) => timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));

const registrationClosed = () => denied('Registration is closed; an administrator can create your account.');

export async function superAdminExists(trx: Trx): Promise<boolean> {
  return (await User.query(trx).findOne({ scope: 'SUPER' }).select('id')) !== undefined;
}

export async function registerSuperAdmin<Result>(
  services: Services,
  registration: Registration,
  now: Date,
  respond: (registered: { user: User; tokens: TokenPair }) => Result,
): Promise<Result> {
  requireFitPassword(registration.password, { email: registration.email, primaryPersona: 'ADMIN' });
  const passwordHash = await hashPassword(registration.password);
  return inContext(services.db, 'SUPER', async (trx) => {
    // The lock makes exactly one of two concurrent registrations succeed.
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
    await setSignInEmail(trx, user, user.email);
    return respond({ user, tokens: await openSession(trx, services.tokens, user, now) });
  });
}

/** Runs the same two statements whether or not the address has an account, so that timing discloses nothing. */
export async function userByEmail(trx: Trx, email: string): Promise<User | undefined> {
  return userOf(trx, (await findSignInOwner(trx, email)) ?? unknownCaller);
}

/** A key without an account, because ids begin at 1. */
const unknownCaller: UserKey = { organizationId: null, userId: 0 };

const userOf = (trx: Trx, { organizationId, userId }: UserKey) =>
  User.query(trx).findOne({ organizationId: storedOrganization(organizationId), id: userId });

export interface LoginRequest {
  readonly email: string;
  readonly password: string;
  readonly clientIp: string;
  /** Six digits, or a recovery code. */
  readonly totp?: string;
}

const wrongCredentials = () => new AppError('INVALID_CREDENTIALS', 'E-mail address or password is wrong.');

/**
 * Throws INVALID_CREDENTIALS for an unknown address, a wrong password and a deactivated account, after equal work, and
 * BRUTE_FORCE_LOCKED after too many of them. Throws SECOND_FACTOR_REQUIRED, see `requireSecondFactor`.
 */
export function signIn<Result extends object>(
  services: Services,
  input: LoginRequest,
  now: Date,
  respond: Respond<Result>,
): Promise<Result> {
  const from = { email: normalEmail(input.email), clientIp: input.clientIp };
  return withReservedAttempt(
    services,
    { ...loginSubjects(services, from), clientIp: input.clientIp },
    async (attempt) => {
      const user = await findForSignIn(services.db, from.email);
      const matches = await passwordMatches(user?.passwordHash, input.password);
      if (user?.status === 'active' && matches) {
        const response = await openVerifiedSession(services, { attempt, user, input }, now, respond);
        if (response) return response;
      }
      await attempt.recordFailure(user);
      throw wrongCredentials();
    },
  );
}

/** Returns undefined when the account was closed or its password changed while the password was being verified. */
async function openVerifiedSession<Result>(
  services: Services,
  { attempt, user, input: { totp, clientIp } }: { attempt: Attempt; user: User; input: LoginRequest },
  now: Date,
  respond: Respond<Result>,
): Promise<Result | undefined> {
  const secondFactor = await requireSecondFactor(services, user, { attempt, code: totp, clientIp }, now);
  return inContext(services.db, 'SUPER', async (trx) => {
    const account = userOf(trx, { organizationId: user.organizationId, userId: user.id });
    const current = await lockRows('account', 'share', account);
    if (current?.status !== 'active' || current.passwordHash !== user.passwordHash) return undefined;
    const response = await respond(await openSession(trx, services.tokens, user, now, { secondFactor }), trx);
    await attempt.recordSuccess(trx);
    return response;
  });
}

const findForSignIn = (db: Db, email: string) => inContext(db, 'SUPER', (trx) => userByEmail(trx, email));
