// What the goal of a step is judged by: what was answered in the sessions that were counted to it, those answers too that came
// when their session had been told already (a device without network brings them back days later).
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { firstAnswers, type SessionResponse } from '../engine/assignments/steps.ts';
import type { BundleAssignment } from '../plans/store.ts';
import type { LateAnswer } from '../services.ts';
import { type CountedDelivery, deliveriesAtStep } from './store.ts';

/** By assignment, the first answers of each session. The number of reads does not grow with the students. */
export async function pooledResponses(
  trx: Trx,
  services: Services,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
  rows: readonly BundleAssignment[],
): Promise<ReadonlyMap<string, readonly SessionResponse[]>> {
  const told = await deliveriesAtStep(trx, organizationId, rows);
  const answers = await answersOf(trx, services, { organizationId, now }, told);
  const pooled = new Map<string, SessionResponse[]>();
  for (const one of told) {
    const before = pooled.get(one.assignmentId) ?? [];
    pooled.set(one.assignmentId, [...before, ...firstAnswers([...one.responses, ...lateIn(one, answers)])]);
  }
  return pooled;
}

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

/** All that the session has by now; the row of the delivery has what was there when it was told. */
const lateIn = ({ studentId, sourceId }: CountedDelivery, answers: readonly LateAnswer[]): SessionResponse[] =>
  answers
    .filter((one) => one.studentId === studentId && one.sessionId === sourceId)
    .map(({ itemId, subSkillCode, correct }) => ({ itemId, subSkillCode, correct }));
