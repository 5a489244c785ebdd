// Closing a lesson as delivered when its live lesson ends. The live lesson records the deliveries, once.

import type { Trx } from '#core/platform/db.ts';
import type { LessonState } from '../enums.ts';
import { lockLesson } from '../rows/store.ts';
import { accepts } from '../rows/transitions.ts';
import { closeAsDelivered, type DeliveryRecord } from './close-delivered.ts';

export interface LiveDelivery extends Omit<DeliveryRecord, 'actorUserId'> {
  readonly organizationId: string;
  readonly sessionId: string;
  /** User id; absent when the service ended the live lesson. */
  readonly actorUserId?: number | null;
}

/** Returns the state before; a lesson that is already delivered or cancelled does not change. */
export async function deliverFromLive(trx: Trx, delivery: LiveDelivery): Promise<LessonState> {
  const { organizationId, sessionId, actorUserId = null, ...record } = delivery;
  const row = await lockLesson(trx, { organizationId, id: sessionId });
  if (accepts('deliver', row)) await closeAsDelivered(trx, row, { ...record, actorUserId });
  return row.state;
}
