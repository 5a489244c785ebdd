// Closing a lesson as delivered (BSN-06): its state and attendance. The caller records the deliveries of assignments.
import type { Trx } from '#core/platform/db.ts';
import type { LessonState } from '../enums.ts';
import { changeLesson } from '../rows/change.ts';
import { LessonRecipient, type LessonRow, lockLesson } from '../rows/store.ts';
import { accepts } from '../rows/transitions.ts';

export interface DeliveryRecord {
  /** Local date. */
  readonly deliveredOn: string;
  readonly presentStudentIds: readonly number[];
  /** User id; null for the service. */
  readonly actorUserId: number | null;
  readonly now: Date;
}

/** The caller holds the lock of the lesson and has checked its state. */
export async function closeAsDelivered(
  trx: Trx,
  row: LessonRow,
  { deliveredOn, presentStudentIds, actorUserId, now }: DeliveryRecord,
): Promise<LessonRow> {
  const { organizationId, id: sessionId } = row;
  await LessonRecipient.query(trx)
    .where({ organizationId, sessionId, state: 'included' })
    .patch({ present: trx.raw('student_id = any(?::bigint[])', [[...presentStudentIds]]) as unknown as boolean });
  const change = { state: 'delivered', deliveredOn, closedAt: now.toISOString() } as const;
  const changedFields = ['state', 'deliveredOn'];
  return changeLesson(trx, row, change, { action: 'delivered', actorUserId, changedFields, now });
}

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
