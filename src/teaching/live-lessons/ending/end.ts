// A live session ends: by its teacher, or by itself (LVS-05). What is open in it closes, and what was taught is delivered: one
// transaction, whoever ends it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { type LiveSource, sessionForLive } from '../../lessons/index.ts';
import { stopRuns } from '../own-items/course.ts';
import { closeRun, openRun } from '../projector/store.ts';
import { moveLive, nextOf } from '../rows/move.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import { deliverLive } from './deliver.ts';
import { appendSegments, lastHappened, segmentSignals } from './minutes.ts';

const end = { kind: 'control', action: 'end' } as const;

/**
 * The row as it is now; it is locked. `actorUserId`: null where the service ends it. CONFLICT `invalid_transition`;
 * ENGINE_UNAVAILABLE, and then the session goes on.
 */
export async function endLive(
  trx: Trx,
  services: Services,
  row: LiveSessionRow,
  now: Date,
  actorUserId: number | null,
): Promise<LiveSessionRow> {
  nextOf(row, end);
  const source = await preparedOf(trx, row);
  await noteSegments(trx, row, source, { now, actorUserId });
  const projector = await openRun(trx, row);
  if (projector) await closeRun(trx, projector, { state: 'discarded' }, now);
  await stopRuns(trx, row, now);
  const ended = await moveLive(trx, row, end, now);
  if (source) await deliverLive(trx, services, ended, source, { actorUserId, now });
  return ended;
}

const preparedOf = async (trx: Trx, { organizationId, sessionId }: LiveSessionRow): Promise<LiveSource | undefined> =>
  sessionId === null ? undefined : sessionForLive(trx, organizationId, sessionId);

/** Where a teacher left and the service ends it hours later, the last segment ran until something last happened. */
async function noteSegments(
  trx: Trx,
  row: LiveSessionRow,
  source: LiveSource | undefined,
  { now, actorUserId }: { readonly now: Date; readonly actorUserId: number | null },
): Promise<void> {
  const last = actorUserId === null ? ((await lastHappened(trx, row)) ?? now) : now;
  await appendSegments(trx, row, source?.segments ?? [], await segmentSignals(trx, row), {
    ...{ lastMs: last.getTime(), now },
  });
}
