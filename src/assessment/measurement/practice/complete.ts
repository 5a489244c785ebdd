// Ends a queue that was completed or replaced by a newer one.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { practiceCompleted } from '../events.ts';
import type { RequestServices } from '../services.ts';
import type { OpenQueue } from './queue.ts';
import { toServedSession } from './served-session.ts';
import { PracticeQueue } from './store.ts';

/**
 * Stores the end of the queue, its behaviour log and, when it was completed, the event that triggers a recompute, in
 * one transaction.
 */
export async function endQueue(
  services: RequestServices,
  trx: Trx,
  open: OpenQueue,
  status: 'COMPLETED' | 'REPLACED',
  now: Date,
): Promise<void> {
  const { id: queueId, organizationId, studentId, schoolYear } = open.queue;
  await PracticeQueue.query(trx).findById(queueId).patch({ status, endedAt: now.toISOString() });
  if (open.responses.length > 0) {
    const worked = { organizationId, studentId, schoolYear, session: toServedSession(open, now) };
    await services.logBehaviour(trx, worked, now);
  }
  if (status === 'COMPLETED') {
    await appendEvents(trx, now, [newEvent(practiceCompleted, organizationId, { studentId, queueId })]);
  }
}
