// Progress of runs of own items: the item to serve, and the end of runs.
import type { Trx } from '#core/platform/db.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { nextOwnItem } from '../engine/own-items.ts';
import type { OwnRunState } from '../enums.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { answeredBy } from '../rows/responses.ts';
import { endRuns, type LiveOwnRun, runningRuns } from './store.ts';

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'schoolYear' | 'id' | 'playlistNo'>;

/** Returns the current own item, with its key, by student; default: of all students with a run. */
export async function ismItemsOf(
  trx: Trx,
  row: LessonKey,
  studentIds?: readonly number[],
): Promise<ReadonlyMap<number, BlueprintItem>> {
  const runs = await runningRuns(trx, row, studentIds);
  if (runs.length === 0) return new Map();
  const answered = await answeredBy(
    trx,
    row,
    runs.map(({ studentId }) => studentId),
  );
  const served = new Map<number, BlueprintItem>();
  for (const run of runs) {
    const next = nextOwnItem(run.itemRefs, answered(run.studentId));
    const item = (await liveItems(trx, row, run.playlistNo)).find(({ itemRef }) => itemRef === next);
    if (item) served.set(run.studentId, item);
  }
  return served;
}

export const ismChanged = ({ studentId, id }: LiveOwnRun, runState: OwnRunState): NewLiveEvent => ({
  type: 'ism_changed',
  studentId,
  data: { studentId, runId: id, runState },
});

/** Finishes the runs of students who have answered all own items. The caller holds the lock of the lesson. */
export async function finishRuns(trx: Trx, row: LessonKey, studentIds: readonly number[], now: Date): Promise<void> {
  const runs = await runningRuns(trx, row, studentIds);
  if (runs.length === 0) return;
  const answered = await answeredBy(trx, row, studentIds);
  const done = runs.filter(({ itemRefs, studentId }) => nextOwnItem(itemRefs, answered(studentId)) === null);
  await endRuns(trx, row, done, 'finished', now);
  await appendLiveEvents(
    trx,
    row,
    done.map((run) => ismChanged(run, 'finished')),
    now,
  );
}

/** Stops the runs of these students; default: of all, at the end. The caller holds the lock of the lesson. */
export async function stopRuns(trx: Trx, row: LessonKey, now: Date, studentIds?: readonly number[]): Promise<void> {
  const runs = await runningRuns(trx, row, studentIds);
  await endRuns(trx, row, runs, 'stopped', now);
  await appendLiveEvents(
    trx,
    row,
    runs.map((run) => ismChanged(run, 'stopped')),
    now,
  );
}
