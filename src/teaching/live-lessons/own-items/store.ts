// Rows of runs of own items; at most one per student is running.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { OwnRunState } from '../enums.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';

export class LiveOwnRun extends Row {
  static override tableName = 'live_own_run';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['itemRefs'];
  declare id: string;
  declare organizationId: string;
  declare liveSessionId: string;
  declare studentId: number;
  /** The playlist that contains the items. */
  declare playlistNo: number;
  /** References in the order of serving. */
  declare itemRefs: string[];
  declare state: OwnRunState;
  declare startedBy: number;
  declare startedAt: string;
  declare endedAt: string | null;
}

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'id'>;

/** Returns the running runs of these students; default: of all. */
export const runningRuns = (
  trx: Trx,
  { organizationId, id: liveSessionId }: LessonKey,
  studentIds?: readonly number[],
): Promise<LiveOwnRun[]> =>
  LiveOwnRun.query(trx)
    .where({ organizationId, liveSessionId, state: 'running' })
    .modify((query) => studentIds && query.whereIn('studentId', [...studentIds]))
    .orderBy('studentId')
    .then((rows) => [...rows]);

export async function endRuns(
  trx: Trx,
  { organizationId }: LessonKey,
  runs: readonly LiveOwnRun[],
  state: Exclude<OwnRunState, 'running'>,
  now: Date,
): Promise<void> {
  if (runs.length === 0) return;
  const ids = runs.map(({ id }) => id);
  await LiveOwnRun.query(trx).where({ organizationId }).whereIn('id', ids).patch({ state, endedAt: now.toISOString() });
}
