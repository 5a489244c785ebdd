// Changes of a second factor, as they are told to whoever looks after the accounts. Each is written with what happened.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { storeSecurityEvents } from '../../security-events/index.ts';
import type { FactorKey } from './second-factor.ts';

type FactorChange = 'enrolled' | 'confirmed' | 'disabled' | 'recovery_code_used';

export interface FactorScene {
  readonly services: Pick<Services, 'securityEvents' | 'addressHash'>;
  readonly trx: Trx;
  readonly clientIp: string;
  readonly now: Date;
}

export function recordFactorChange(
  { services: { securityEvents, addressHash }, trx, clientIp, now }: FactorScene,
  { id: userId, organizationId }: FactorKey,
  action: FactorChange,
): Promise<void> {
  const who = { organizationId, userId, addressHash: addressHash(clientIp) };
  return securityEvents.recordWith(trx, { kind: 'second_factor', ...who, details: { action }, at: now });
}

/** An operator has taken it away, at the database: without the event it does not happen. */
export async function recordFactorRemoved(
  trx: Trx,
  { id: userId, organizationId }: FactorKey,
  now: Date,
): Promise<void> {
  const who = { organizationId, userId, addressHash: null };
  await storeSecurityEvents(trx, [{ kind: 'second_factor', ...who, details: { action: 'forgotten' }, at: now }]);
}
