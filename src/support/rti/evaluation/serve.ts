// Serves evaluation requests: many students of one organization together, first without a lock. Only students with changes are
// locked and evaluated again; when that fails each is served alone, so that one failure does not block the others.

import { serveKeys } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { closeRequests, openRequests } from '#core/platform/requests/requests.ts';
import { lockSupport } from '../../interventions/index.ts';
import { evaluateStudents, studentsWithChanges } from './evaluate.ts';
import { evaluationRequests } from './queue.ts';

/** Students with an open request that may be tried now. */
export async function serveRequests(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> {
  const now = services.clock.now();
  const due = await inContext(services.db, { organizationId }, (trx) =>
    openRequests(trx, evaluationRequests, organizationId, studentIds, { now }),
  );
  await evaluateAll(
    services,
    organizationId,
    due.map(({ key }) => key),
  );
}

/** Evaluates these students with or without a request. Throws the first failure after all have been processed. */
export const evaluateAll = (services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> =>
  serveKeys(services, evaluationRequests, organizationId, studentIds, (some) =>
    together(services, organizationId, some),
  );

/** Requests are read first, so that later ones are not taken as served. */
async function together(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const { open, changed } = await inReadOnlyContext(services.db, { organizationId }, async (trx) => ({
    open: await openRequests(trx, evaluationRequests, organizationId, studentIds),
    changed: await studentsWithChanges(trx, services, { organizationId, studentIds, now: services.clock.now() }),
  }));
  const unchanged = open.filter(({ key }) => !changed.has(key));
  if (unchanged.length > 0) {
    await inContext(services.db, { organizationId }, (trx) =>
      closeRequests(trx, evaluationRequests, organizationId, unchanged),
    );
  }
  if (changed.size > 0) await writeChanges(services, organizationId, [...changed]);
}

async function writeChanges(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, studentIds);
    const open = await openRequests(trx, evaluationRequests, organizationId, studentIds);
    await evaluateStudents(trx, services, { organizationId, studentIds, now: services.clock.now() });
    await closeRequests(trx, evaluationRequests, organizationId, open);
  });
}
