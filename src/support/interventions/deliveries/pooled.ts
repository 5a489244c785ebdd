// The responses by which the goal of a step is evaluated: those of all sessions counted for it, with answers that arrived after
// the delivery was recorded (a device without network sends them days later).
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import { firstAnswers, type SessionResponse } from '../engine/assignments/steps.ts';
import type { LateAnswer } from '../services.ts';
import { type CountedDelivery, deliveriesAtStep } from './store.ts';

/** The first answers of each session, by assignment. The number of reads does not depend on the number of students. */
export async function pooledResponses(
  trx: Trx,
  services: Services,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
  rows: readonly BundleAssignment[],
): Promise<ReadonlyMap<string, readonly SessionResponse[]>> {
  const deliveries = await deliveriesAtStep(trx, organizationId, rows);
  const answers = await answersOf(trx, services, { organizationId, now }, deliveries);
  const pooled = new Map<string, SessionResponse[]>();
  for (const one of deliveries) {
    const before = pooled.get(one.assignmentId) ?? [];
    pooled.set(one.assignmentId, [...before, ...firstAnswers([...one.responses, ...lateIn(one, answers)])]);
  }
  return pooled;
}

async function answersOf(
  trx: Trx,
  services: Services,
  of: { readonly organizationId: string; readonly now: Date },
  deliveries: readonly CountedDelivery[],
): Promise<readonly LateAnswer[]> {
  const sessionIds = [...new Set(deliveries.map(({ sourceId }) => sourceId))];
  const studentIds = [...new Set(deliveries.map(({ studentId }) => studentId))];
  if (sessionIds.length === 0) return [];
  const found: LateAnswer[] = [];
  for (const read of services.capabilities.flatMap(({ lateAnswers }) => lateAnswers ?? [])) {
    found.push(...(await read(trx, services, { ...of, sessionIds, studentIds })));
  }
  return found;
}

/** All answers that the session has by now; the row of the delivery has those at the time of recording. */
const lateIn = ({ studentId, sourceId }: CountedDelivery, answers: readonly LateAnswer[]): SessionResponse[] =>
  answers
    .filter((one) => one.studentId === studentId && one.sessionId === sourceId)
    .map(({ itemId, subSkillCode, correct }) => ({ itemId, subSkillCode, correct }));
