// Runs of one member's own items, at most one of them running.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { OwnRunState } from '../enums.ts';
import type { LiveSessionRow } from '../rows/session.ts';

export class LiveOwnRun extends Row {
  static override tableName = 'live_own_run';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['itemRefs'];
  declare id: string;
  declare organizationId: string;
  declare liveSessionId: string;
  declare studentId: number;
  /** Whose items they are. */
  declare playlistNo: number;
  /** In the order in which they are served. */
  declare itemRefs: string[];
  declare state: OwnRunState;
  declare startedBy: number;
  declare startedAt: string;
  declare endedAt: string | null;
}

type Of = Pick<LiveSessionRow, 'organizationId' | 'id'>;

/** Of these students; default: of all. */
export const runningRuns = (
  trx: Trx,
  { organizationId, id: liveSessionId }: Of,
  studentIds?: readonly number[],
): Promise<LiveOwnRun[]> =>
  LiveOwnRun.query(trx)
    .where({ organizationId, liveSessionId, state: 'running' })
    .modify((query) => studentIds && query.whereIn('studentId', [...studentIds]))
    .orderBy('studentId')
    .then((rows) => [...rows]);

export async function endRuns(
  trx: Trx,
  { organizationId }: Of,
  runs: readonly LiveOwnRun[],
  state: Exclude<OwnRunState, 'running'>,
  now: Date,
): Promise<void> {
  if (runs.length === 0) return;
  const ids = runs.map(({ id }) => id);
  await LiveOwnRun.query(trx).where({ organizationId }).whereIn('id', ids).patch({ state, endedAt: now.toISOString() });
}
