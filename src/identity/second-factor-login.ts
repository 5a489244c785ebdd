// The second factor at the login: asked for after a right password, so that its existence tells nobody anything.
import { inContext } from '../platform/db.ts';
import type { Services } from '../services.ts';
import { loginByEmail, readWindow, writeWindow } from './attempts.ts';
import { type FactorOwner, secondFactorRequired, showSecondFactor } from './second-factor.ts';
import { type LoginSubject, loginFailed, subjectHash } from './sign-in-limits.ts';

/**
 * True: shown; false: the account has none. SECOND_FACTOR_REQUIRED otherwise. A wrong code is a failed try; a missing one
 * gives back its own try and no other, or a known password would clear the count of wrong codes.
 */
export async function passSecondFactor(
  services: Services,
  owner: FactorOwner,
  { subject, code }: { subject: LoginSubject; code: string | undefined },
  now: Date,
): Promise<boolean> {
  const { db, vault } = services;
  const shown = await inContext(db, 'SUPER', (trx) => showSecondFactor({ trx, vault, now }, owner, code));
  if (shown === 'none' || shown === 'shown') return shown === 'shown';
  if (shown === 'wrong') await loginFailed(services, subject, now);
  else await giveBackTry(services, subject, now);
  throw secondFactorRequired();
}

async function giveBackTry(services: Services, { email }: LoginSubject, now: Date): Promise<void> {
  const hash = subjectHash(services, loginByEmail, email);
  await inContext(services.db, 'SUPER', async (trx) => {
    const { failedAt, lockedUntil } = await readWindow(trx, loginByEmail, hash, now);
    const own = failedAt.findIndex((at) => at.getTime() === now.getTime());
    const others = failedAt.filter((_, at) => at !== own);
    const stillLocked = others.length >= loginByEmail.maxFailures;
    await writeWindow(
      trx,
      loginByEmail,
      hash,
      { failedAt: others, lockedUntil: stillLocked ? lockedUntil : null },
      now,
    );
  });
}
