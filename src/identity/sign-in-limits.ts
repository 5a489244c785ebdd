// What a login costs its e-mail address and its client address when it fails, and gives back when it succeeds.
import { inContext, type Trx } from '../platform/db.ts';
import type { Services } from '../services.ts';
import {
  type AttemptRule,
  claimAttempt,
  countFailure,
  forgetFailures,
  loginByAddress,
  loginByEmail,
  readWindow,
  requireOpen,
} from './attempts.ts';

/** `email` as stored: trimmed, lower case. */
export interface LoginSubject {
  readonly email: string;
  readonly clientIp: string;
}

export const subjectHash = ({ vault }: Pick<Services, 'vault'>, { kind }: AttemptRule, subject: string): string =>
  vault.keyedHash(kind, subject);

/** Throws BRUTE_FORCE_LOCKED while the e-mail address or the client address is locked. */
export async function admitLogin(services: Services, { email, clientIp }: LoginSubject, now: Date): Promise<void> {
  await inContext(services.db, 'SUPER', async (trx) => {
    const address = subjectHash(services, loginByAddress, clientIp);
    requireOpen(loginByAddress, await readWindow(trx, loginByAddress, address, now), now);
    await claimAttempt(trx, loginByEmail, subjectHash(services, loginByEmail, email), now);
  });
}

/** The e-mail address was charged when the login was admitted. */
export async function loginFailed(services: Services, { clientIp }: LoginSubject, now: Date): Promise<void> {
  const address = subjectHash(services, loginByAddress, clientIp);
  await inContext(services.db, 'SUPER', (trx) => countFailure(trx, loginByAddress, address, now));
}

export async function loginSucceeded(trx: Trx, services: Services, subject: LoginSubject): Promise<void> {
  await forgetFailures(trx, loginByAddress, subjectHash(services, loginByAddress, subject.clientIp));
  await forgetFailures(trx, loginByEmail, subjectHash(services, loginByEmail, subject.email));
}
