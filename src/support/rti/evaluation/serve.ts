// Serves what was asked for: many students of one organization together, first without a lock. Only those of whom something
// has to be written are locked and asked again; where that fails each of them alone, so that one who fails holds up no other.

import { serveKeys } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { closeRequests, openRequests } from '#core/platform/requests/requests.ts';
import { lockSupport } from '../../interventions/index.ts';
import { evaluateStudents, studentsWithNews } from './evaluate.ts';
import { evaluationRequests } from './queue.ts';

/** Those of the students whose request is open and may be tried now. */
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

/** Evaluates these students, whether it was asked for or not. The first failure is thrown when all have had their turn. */
export const evaluateAll = (services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> =>
  serveKeys(services, evaluationRequests, organizationId, studentIds, (some) =>
    together(services, organizationId, some),
  );

/** What is asked for is read before anything else, so that nothing asked for later is taken as served. */
async function together(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const { open, news } = await inReadOnlyContext(services.db, { organizationId }, async (trx) => ({
    open: await openRequests(trx, evaluationRequests, organizationId, studentIds),
    news: await studentsWithNews(trx, services, { organizationId, studentIds, now: services.clock.now() }),
  }));
  const unchanged = open.filter(({ key }) => !news.has(key));
  if (unchanged.length > 0) {
    await inContext(services.db, { organizationId }, (trx) =>
      closeRequests(trx, evaluationRequests, organizationId, unchanged),
    );
  }
  if (news.size > 0) await writeNews(services, organizationId, [...news]);
}

async function writeNews(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, studentIds);
    const open = await openRequests(trx, evaluationRequests, organizationId, studentIds);
    await evaluateStudents(trx, services, { organizationId, studentIds, now: services.clock.now() });
    await closeRequests(trx, evaluationRequests, organizationId, open);
  });
}
