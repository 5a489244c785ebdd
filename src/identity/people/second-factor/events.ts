// Security events about second factors.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { storeSecurityEvents } from '../../security-events/index.ts';
import type { FactorKey } from './second-factor.ts';

type FactorChange = 'enrolled' | 'confirmed' | 'disabled' | 'recovery_code_used';

export interface FactorContext {
  readonly services: Pick<Services, 'securityEvents' | 'addressHash'>;
  readonly trx: Trx;
  readonly clientIp: string;
  readonly now: Date;
}

export function recordFactorChange(
  { services: { securityEvents, addressHash }, trx, clientIp, now }: FactorContext,
  { id: userId, organizationId }: FactorKey,
  action: FactorChange,
): Promise<void> {
  const who = { organizationId, userId, addressHash: addressHash(clientIp) };
  return securityEvents.recordWith(trx, { kind: 'second_factor', ...who, details: { action }, at: now });
}

/** Records the removal by an operator with database access. A failure to store the event aborts the removal. */
export async function recordFactorRemoved(
  trx: Trx,
  { id: userId, organizationId }: FactorKey,
  now: Date,
): Promise<void> {
  const who = { organizationId, userId, addressHash: null };
  await storeSecurityEvents(trx, [{ kind: 'second_factor', ...who, details: { action: 'forgotten' }, at: now }]);
}
