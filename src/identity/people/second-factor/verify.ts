// Verification of the second factor. At a login it happens after a right password, so that a guesser cannot learn whether an
// account has a second factor.

import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import type { Attempt } from '../attempts/attempt-reservations.ts';
import { lockAccount } from '../records/users.ts';
import { type FactorContext, recordFactorChange } from './events.ts';
import { type FactorKey, type FactorResult, secondFactorRequired, spendFactorCode } from './second-factor.ts';

type FactorServices = FactorContext['services'] & Pick<Services, 'cipher'>;

/** Runs `spendFactorCode` and records a security event for the use of a recovery code. */
export async function verifyFactor(
  context: FactorContext & { readonly services: FactorServices },
  owner: FactorKey,
  code: string | undefined,
): Promise<Exclude<FactorResult, 'recovered'>> {
  const { services, trx, now } = context;
  const result = await spendFactorCode({ trx, cipher: services.cipher, now }, owner, code);
  if (result !== 'recovered') return result;
  await recordFactorChange(context, owner, 'recovery_code_used');
  return 'accepted';
}

/**
 * Returns true when the code was accepted, and false when the account has no second factor; otherwise throws
 * SECOND_FACTOR_REQUIRED. A wrong code counts as a failed attempt. A missing code releases its slot without clearing
 * failures: otherwise a known password could reset the count of wrong codes.
 */
export async function requireSecondFactor(
  services: FactorServices & Pick<Services, 'db'>,
  owner: FactorKey,
  { attempt, code, clientIp }: { attempt: Attempt; code: string | undefined; clientIp: string },
  now: Date,
): Promise<boolean> {
  const result = await inContext(services.db, 'SUPER', async (trx) => {
    await lockAccount(trx, owner, 'share');
    return verifyFactor({ services, trx, clientIp, now }, owner, code);
  });
  if (result === 'none' || result === 'accepted') return result === 'accepted';
  if (result === 'wrong') await attempt.recordFailure(owner);
  throw secondFactorRequired();
}
