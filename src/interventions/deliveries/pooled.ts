// What the goal of a step is judged by: what was answered in the sessions that were counted to it, those answers too that came
// when their session had been told already (a device without network brings them back days later).
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import type { SessionResponse } from '../engine/assignments/steps.ts';
import type { BundleAssignment } from '../plans/store.ts';
import type { LateAnswer } from '../services.ts';
import { type CountedDelivery, deliveriesAtStep } from './store.ts';

/** By assignment: as sessions were told, then what came late. The number of reads does not grow with the students. */
export async function pooledResponses(
  trx: Trx,
  services: Services,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
  rows: readonly BundleAssignment[],
): Promise<ReadonlyMap<string, readonly SessionResponse[]>> {
  const told = await deliveriesAtStep(trx, organizationId, rows);
  const answers = await answersOf(trx, services, { organizationId, now }, told);
  const pooled = new Map<string, SessionResponse[]>();
  for (const responsesOf of [asTold, (one: CountedDelivery) => lateIn(one, answers)]) {
    for (const one of told)
      pooled.set(one.assignmentId, [...(pooled.get(one.assignmentId) ?? []), ...responsesOf(one)]);
  }
  return pooled;
}

const asTold = ({ responses }: CountedDelivery): readonly SessionResponse[] => responses;

async function answersOf(
  trx: Trx,
  services: Services,
  of: { readonly organizationId: string; readonly now: Date },
  told: readonly CountedDelivery[],
): Promise<readonly LateAnswer[]> {
  const sessionIds = [...new Set(told.map(({ sourceId }) => sourceId))];
  const studentIds = [...new Set(told.map(({ studentId }) => studentId))];
  if (sessionIds.length === 0) return [];
  const found: LateAnswer[] = [];
  for (const read of services.capabilities.flatMap(({ lateAnswers }) => lateAnswers ?? [])) {
    found.push(...(await read(trx, services, { ...of, sessionIds, studentIds })));
  }
  return found;
}

/** Those that the row of the delivery does not have. */
function lateIn(
  { studentId, sourceId, responses }: CountedDelivery,
  answers: readonly LateAnswer[],
): SessionResponse[] {
  const told = new Set(responses.map(({ itemId }) => itemId));
  return answers
    .filter((one) => one.studentId === studentId && one.sessionId === sourceId && !told.has(one.itemId))
    .map(({ itemId, subSkillCode, correct }) => ({ itemId, subSkillCode, correct }));
}
