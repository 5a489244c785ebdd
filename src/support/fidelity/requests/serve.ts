// Recounts many assignments of one organization in one transaction; when that fails each is recounted alone, so that one
// failure does not block the others.

import { serveKeys } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { closeRequests, openRequests } from '#core/platform/requests/requests.ts';
import { interventionRules, lockSupport } from '../../interventions/index.ts';
import { recount } from '../counting/recount.ts';
import { recountRequests } from './queue.ts';

export interface AssignmentToCount {
  readonly assignmentId: string;
  readonly studentId: number;
}

/** Assignments with an open request. */
export async function serveRecounts(
  services: Services,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<void> {
  const asked = await inReadOnlyContext(services.db, { organizationId }, (trx) =>
    openRequests<string, { readonly studentId: number }>(trx, recountRequests, organizationId, assignmentIds, {
      columns: ['student_id'],
    }),
  );
  const plans = asked.map(({ key: assignmentId, studentId }) => ({ assignmentId, studentId }));
  await recountAssignments(services, organizationId, plans);
}

/** Recounts with or without a request. Throws the first failure after all have been processed. */
export function recountAssignments(
  services: Services,
  organizationId: string,
  plans: readonly AssignmentToCount[],
): Promise<void> {
  const studentOf = new Map(plans.map(({ assignmentId, studentId }) => [assignmentId, studentId]));
  return serveKeys(services, recountRequests, organizationId, [...studentOf.keys()], (assignmentIds) => {
    const studentIds = assignmentIds.flatMap((id) => studentOf.get(id) ?? []);
    return together(services, organizationId, assignmentIds, [...new Set(studentIds)]);
  });
}

/** Requests are read under the locks, so that later ones are not taken as served. */
async function together(
  services: Services,
  organizationId: string,
  assignmentIds: readonly string[],
  studentIds: readonly number[],
): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, studentIds);
    const now = services.clock.now();
    const rules = interventionRules((await services.rules.at(trx, now)).rules);
    const open = await openRequests(trx, recountRequests, organizationId, assignmentIds);
    await recount(trx, { organizationId, assignmentIds, studentIds, now }, rules);
    await closeRequests(trx, recountRequests, organizationId, open);
  });
}
