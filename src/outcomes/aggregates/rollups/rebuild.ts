// Rebuilds all counts of an organization at the start of its day, so that a missed incremental count lasts a day at
// most.
import type { OrganizationDay } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { refreshOrganization } from './refresh.ts';
import { requestAllClasses } from './requests.ts';
import { beginDay } from './rows.ts';

export async function beginRollupDay(services: Services, { organizationId, date }: OrganizationDay): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await acquireNamedLock(trx, 'aggregates', organizationId);
    await beginDay(trx, organizationId, date, services.clock.now());
  });
  await rebuildOrganization(services, organizationId);
}

export async function rebuildOrganization(services: Services, organizationId: string): Promise<void> {
  await inContext(services.db, { organizationId }, (trx) =>
    requestAllClasses(trx, organizationId, services.clock.now()),
  );
  await refreshOrganization(services, { organizationId });
}
