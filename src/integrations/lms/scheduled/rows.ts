// Requests syncs, and writes their rows under a lease.
import { leasedRows } from '#core/long-jobs/index.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { LmsConnection } from '../connections/rows.ts';
import type { RunTrigger } from '../enums.ts';
import { syncRequested } from '../events.ts';
import { LmsSyncRun, openRunStates } from '../runs/rows.ts';

export const runRows = leasedRows<LmsSyncRun>({
  name: LmsSyncRun.tableName,
  writesBatches: true,
  within: inContext,
  toRow: (stored) => LmsSyncRun.fromJson(stored, { skipValidation: true }),
  claimed: (trx, now) => ({ startedAt: trx.raw('coalesce(started_at, ?)', [now]) }),
});

/** Returns the id of the run under way, or of a new one. The connection is locked. `askedBy`: null for a scheduled run. */
export async function requestRun(
  trx: Trx,
  { organizationId, id: connectionId, provider }: LmsConnection,
  askedBy: number | null,
  now: Date,
): Promise<string> {
  const underWay = await LmsSyncRun.query(trx)
    .findOne({ organizationId, connectionId })
    .whereIn('state', [...openRunStates]);
  if (underWay) return underWay.id;
  const id = newId();
  const trigger: RunTrigger = askedBy === null ? 'scheduled' : 'manual';
  const made = { organizationId, id, connectionId, provider, trigger, askedBy, state: 'queued' as const };
  await LmsSyncRun.query(trx).insert({ ...made, createdAt: now.toISOString() });
  await appendEvents(trx, now, [newEvent(syncRequested, organizationId, { syncRunId: id })]);
  return id;
}
