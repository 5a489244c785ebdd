// The second factor at the login: asked for after a right password, so that its existence tells nobody anything.

import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import type { Try } from '../attempts/places.ts';
import { lockAccount } from '../records/users.ts';
import { type FactorScene, recordFactorChange } from './events.ts';
import { type FactorKey, type FactorShown, secondFactorRequired, showSecondFactor } from './second-factor.ts';

type FactorServices = FactorScene['services'] & Pick<Services, 'cipher'>;

/** `showSecondFactor`, whose use of a recovery code leaves an event. */
export async function tellFactor(
  scene: FactorScene & { readonly services: FactorServices },
  owner: FactorKey,
  code: string | undefined,
): Promise<Exclude<FactorShown, 'recovered'>> {
  const { services, trx, now } = scene;
  const shown = await showSecondFactor({ trx, cipher: services.cipher, now }, owner, code);
  if (shown !== 'recovered') return shown;
  await recordFactorChange(scene, owner, 'recovery_code_used');
  return 'shown';
}

/**
 * True: shown; false: the account has none. SECOND_FACTOR_REQUIRED otherwise. A wrong code is a failed try; a missing one
 * gives back its own place and clears no failure, or a known password would clear the count of wrong codes.
 */
export async function passSecondFactor(
  services: FactorServices & Pick<Services, 'db'>,
  owner: FactorKey,
  { attempt, code, clientIp }: { attempt: Try; code: string | undefined; clientIp: string },
  now: Date,
): Promise<boolean> {
  const shown = await inContext(services.db, 'SUPER', async (trx) => {
    await lockAccount(trx, owner, 'share');
    return tellFactor({ services, trx, clientIp, now }, owner, code);
  });
  if (shown === 'none' || shown === 'shown') return shown === 'shown';
  if (shown === 'wrong') await attempt.failed(owner);
  throw secondFactorRequired();
}
