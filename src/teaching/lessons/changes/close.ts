// A session is given (BSN-06): its state and who was there. What follows for plans is told by whoever calls.
import type { Trx } from '#core/platform/db.ts';
import { changeSession } from '../rows/change.ts';
import { SessionRecipient, type SessionRow } from '../rows/store.ts';

export interface Given {
  /** Local date. */
  readonly deliveredOn: string;
  readonly presentStudentIds: readonly number[];
  /** User id; null: the service. */
  readonly actorUserId: number | null;
  readonly now: Date;
}

/** Its row is locked, and takes it. */
export async function closeAsGiven(
  trx: Trx,
  row: SessionRow,
  { deliveredOn, presentStudentIds, actorUserId, now }: Given,
): Promise<SessionRow> {
  const { organizationId, id: sessionId } = row;
  await SessionRecipient.query(trx)
    .where({ organizationId, sessionId, state: 'included' })
    .patch({ present: trx.raw('student_id = any(?::bigint[])', [[...presentStudentIds]]) as unknown as boolean });
  const change = { state: 'delivered', deliveredOn, closedAt: now.toISOString() } as const;
  const changedFields = ['state', 'deliveredOn'];
  return changeSession(trx, row, change, { action: 'delivered', actorUserId, changedFields, now });
}
