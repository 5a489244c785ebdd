// Closing a lesson as delivered (BSN-06): its state and attendance. The caller records the deliveries of assignments.
import type { Trx } from '#core/platform/db.ts';
import { changeLesson } from '../rows/change.ts';
import { LessonRecipient, type LessonRow } from '../rows/store.ts';

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
