// The end of a queue: worked off, or replaced by a newer one.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { practiceCompleted } from '../events.ts';
import type { RequestServices } from '../services.ts';
import type { OpenQueue } from './queue.ts';
import { PracticeQueue } from './store.ts';
import { workedQueue } from './worked.ts';

/** In one transaction the queue, its behaviour log and, when it was worked off, the event that asks for a recompute. */
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
    const worked = { organizationId, studentId, schoolYear, session: workedQueue(open, now) };
    await services.logBehaviour(trx, worked, now);
  }
  if (status === 'COMPLETED') {
    await appendEvents(trx, now, [newEvent(practiceCompleted, organizationId, { studentId, queueId })]);
  }
}
