// The rows of sync runs. An ended run never changes.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { modelOf, Row } from '#core/platform/model.ts';
import type { Provider, RunError, RunState, RunTrigger } from '../enums.ts';

export interface RunCounts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly conflicts: number;
}

export class LmsSyncRun extends Row {
  static override tableName = 'lms_sync_run';
  static override idColumn = ['organizationId', 'id'];
  static override jsonAttributes = ['counts'];
  declare organizationId: string;
  declare id: string;
  declare connectionId: string;
  declare provider: Provider;
  declare trigger: RunTrigger;
  declare state: RunState;
  declare createdAt: string;
  declare startedAt: string | null;
  declare endedAt: string | null;
  declare counts: RunCounts | null;
  declare previewId: string | null;
  /** The account that requested a manual run; null for scheduled runs and for runs from before the column existed. */
  declare askedBy: number | null;
  declare revertsRunId: string | null;
  declare errorCode: RunError | null;
  /** Increases with each claim of the lease. */
  declare token: number;
  /** How often the run was started. */
  declare attempts: number;
}

export const openRunStates: readonly RunState[] = ['queued', 'running'];

export const isRunOpen = async (
  trx: Trx,
  { organizationId, id }: Pick<LmsSyncRun, 'organizationId' | 'id'>,
): Promise<boolean> =>
  (await LmsSyncRun.query(trx)
    .findOne({ organizationId, id })
    .whereIn('state', [...openRunStates])) !== undefined;

export interface EndedRun
  extends Pick<LmsSyncRun, 'organizationId' | 'connectionId' | 'provider' | 'trigger' | 'previewId'> {
  readonly counts: RunCounts;
  readonly revertsRunId?: string;
}

/**
 * Stores a run that was done within one request. The end of a run is written last, because a run may be changed until then.
 */
export async function insertDoneRun(trx: Trx, run: EndedRun, now: Date): Promise<string> {
  const at = now.toISOString();
  const { id } = await LmsSyncRun.query(trx).insertAndFetch({
    ...run,
    id: newId(),
    state: 'succeeded',
    createdAt: at,
    startedAt: at,
    endedAt: at,
  });
  return id;
}

interface LmsChangeRow {
  readonly organizationId: string;
  readonly runId: string;
  readonly position: number;
  readonly rowId: string;
  readonly userId: number | null;
  readonly before: object;
  readonly after: object;
  readonly changedAt: string;
}

/** A change that a sync has made, for its revert. */
export const LmsChange = modelOf<LmsChangeRow>('lms_change', {
  id: ['organizationId', 'runId', 'position'],
  json: ['before', 'after'],
});
