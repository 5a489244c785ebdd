// Counts plans anew, many of one organization in one transaction; where that fails each of them alone, so that one that cannot
// be counted holds up no other.

import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { closeServed, countFailure } from '#core/platform/requests/requests.ts';
import { interventionRules, lockSupport } from '../../interventions/index.ts';
import { recount } from '../counting/recount.ts';
import { openRequests, plansAtOnce, recountRequests } from './requests.ts';

export interface PlanToCount {
  readonly assignmentId: string;
  readonly studentId: number;
}

/** Those of the plans of which it is asked for. */
export async function serveRecounts(
  services: Services,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<void> {
  const asked = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    openRequests(trx, organizationId, assignmentIds),
  );
  const plans = asked.map(({ key: assignmentId, studentId }) => ({ assignmentId, studentId }));
  await recountPlans(services, organizationId, plans);
}

/** Whether it was asked for or not. The first failure is thrown when all have had their turn. */
export async function recountPlans(
  services: Services,
  organizationId: string,
  plans: readonly PlanToCount[],
): Promise<void> {
  const failures: unknown[] = [];
  for (let from = 0; from < plans.length; from += plansAtOnce) {
    const some = plans.slice(from, from + plansAtOnce);
    await together(services, organizationId, some).catch(async () => {
      for (const plan of some) {
        await together(services, organizationId, [plan]).catch(async (error: unknown) => {
          failures.push(error);
          const { assignmentId } = plan;
          services.log.error({ err: error, assignmentId }, 'what was delivered of a plan could not be counted');
          await inContext(services.db, { organizationId }, (trx) =>
            countFailure(trx, recountRequests, organizationId, assignmentId),
          );
        });
      }
    });
  }
  if (failures.length > 0) throw failures[0];
}

/** What is asked for is read under the locks, so that nothing asked for later is taken as served. */
async function together(services: Services, organizationId: string, plans: readonly PlanToCount[]): Promise<void> {
  const assignmentIds = plans.map(({ assignmentId }) => assignmentId);
  const studentIds = [...new Set(plans.map(({ studentId }) => studentId))];
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, studentIds);
    const now = services.clock.now();
    const rules = interventionRules((await services.rules.at(trx, now)).rules);
    const open = await openRequests(trx, organizationId, assignmentIds);
    await recount(trx, { organizationId, assignmentIds, studentIds, now }, rules);
    await closeServed(trx, recountRequests, organizationId, open);
  });
}
