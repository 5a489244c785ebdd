// The end of a live lesson, by its teacher or by the service (LVS-05). Open runs are closed and deliveries are recorded in the
// same transaction.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type LiveSource, lessonForLive } from '../../lessons/index.ts';
import { stopRuns } from '../own-items/runs.ts';
import { closeRun, openRun } from '../projector/store.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { moveLive, nextOf } from '../rows/move.ts';
import { deliverLive } from './deliver.ts';
import { appendSegments, lastEventAt, segmentSignals } from './minutes.ts';

const end = { kind: 'control', action: 'end' } as const;

/**
 * Ends the lesson and returns the changed row. The caller holds the lock. `actorUserId` is null when the service ends it.
 * Throws CONFLICT `invalid_transition`, and ENGINE_UNAVAILABLE, after which the lesson has not ended.
 */
export async function endLive(
  trx: Trx,
  services: Services,
  row: LiveLessonRow,
  now: Date,
  actorUserId: number | null,
): Promise<LiveLessonRow> {
  nextOf(row, end);
  const source = await findPreparedLesson(trx, row);
  await recordSegments(trx, row, source, { now, actorUserId });
  const projector = await openRun(trx, row);
  if (projector) await closeRun(trx, projector, { state: 'discarded' }, now);
  await stopRuns(trx, row, now);
  const ended = await moveLive(trx, row, end, now);
  if (source) await deliverLive(trx, services, ended, source, { actorUserId, now });
  return ended;
}

const findPreparedLesson = async (
  trx: Trx,
  { organizationId, sessionId }: LiveLessonRow,
): Promise<LiveSource | undefined> => (sessionId === null ? undefined : lessonForLive(trx, organizationId, sessionId));

/** When the service ends a lesson hours after the teacher left, the last segment ended with the last event. */
async function recordSegments(
  trx: Trx,
  row: LiveLessonRow,
  source: LiveSource | undefined,
  { now, actorUserId }: { readonly now: Date; readonly actorUserId: number | null },
): Promise<void> {
  const endedAt = actorUserId === null ? ((await lastEventAt(trx, row)) ?? now) : now;
  await appendSegments(trx, row, source?.segments ?? [], await segmentSignals(trx, row), {
    lastMs: endedAt.getTime(),
    now,
  });
}
