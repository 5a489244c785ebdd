// The lock of a live lesson: it serializes all writes and the numbering of events.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { type LiveChange, LiveLessonRow } from './live-lesson.ts';

/** Locks the lesson until the transaction ends. Throws NOT_FOUND when it does not exist. */
export async function lockLive(trx: Trx, organizationId: string, id: string): Promise<LiveLessonRow> {
  const row = await findLockedLive(trx, organizationId, id);
  if (!row) throw notFound();
  return row;
}

export const findLockedLive = async (
  trx: Trx,
  organizationId: string,
  id: string,
): Promise<LiveLessonRow | undefined> =>
  lockRows('liveSession', 'change', LiveLessonRow.query(trx).findOne({ organizationId, id }));

/** The single writer of the row; returns the changed row. The caller holds the lock. */
export async function changeLive(trx: Trx, row: LiveLessonRow, change: LiveChange): Promise<LiveLessonRow> {
  const { organizationId, id } = row;
  await LiveLessonRow.query(trx).where({ organizationId, id }).patch(change);
  return Object.assign(new LiveLessonRow(), row, change);
}
