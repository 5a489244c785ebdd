// The second factor at the login: asked for after a right password, so that its existence tells nobody anything.
import { inContext } from '../platform/db.ts';
import type { Services } from '../services.ts';
import type { Try } from './attempt-places.ts';
import { type FactorOwner, secondFactorRequired, showSecondFactor } from './second-factor.ts';

/**
 * True: shown; false: the account has none. SECOND_FACTOR_REQUIRED otherwise. A wrong code is a failed try; a missing one
 * gives back its own place and forgets no failure, or a known password would clear the count of wrong codes.
 */
export async function passSecondFactor(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  owner: FactorOwner,
  { attempt, code }: { attempt: Try; code: string | undefined },
  now: Date,
): Promise<boolean> {
  const shown = await inContext(db, 'SUPER', (trx) => showSecondFactor({ trx, vault, now }, owner, code));
  if (shown === 'none' || shown === 'shown') return shown === 'shown';
  if (shown === 'wrong') await attempt.failed();
  throw secondFactorRequired();
}
