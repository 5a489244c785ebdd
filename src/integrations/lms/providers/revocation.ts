// Revokes a connection, in one transaction, after its provider has refused access.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { connectionRevoked } from '#messaging/notifications/index.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { LmsSyncRun } from '../runs/rows.ts';
import type { RefusalError } from './faults.ts';

/** Does nothing when another request has revoked the connection already. */
export async function revokeConnection(
  { db, clock }: Services,
  { organizationId, id }: Pick<LmsConnection, 'organizationId' | 'id'>,
  error: RefusalError,
): Promise<void> {
  await inContext(db, { organizationId }, async (trx) => {
    const connection = await lockConnection(trx, { organizationId, id });
    if (connection?.status !== 'active') return;
    const now = clock.now();
    const ended = { sealedCredentials: null, credentialsKeyId: null, nextRunAt: null };
    await LmsConnection.query(trx)
      .findById([organizationId, id])
      .patch({ ...ended, status: 'revoked', endedAt: now.toISOString() });
    await endRuns(trx, connection, error, now);
    const payload = { connectionId: id, provider: connection.provider };
    await appendEvents(trx, now, [newEvent(connectionRevoked, organizationId, payload)]);
  });
}

/** Ends the run under way with the error, or stores a failed run when there is none. */
async function endRuns(trx: Trx, connection: LmsConnection, error: RefusalError, now: Date): Promise<void> {
  const { organizationId, id: connectionId, provider } = connection;
  const ended = { state: 'error', errorCode: error, endedAt: now.toISOString() } as const;
  const running = await LmsSyncRun.query(trx)
    .where({ organizationId, connectionId })
    .whereIn('state', ['queued', 'running'])
    .update({ ...ended, startedAt: trx.raw('coalesce(started_at, ?)', [now]) })
    .returning('id');
  if (running.length > 0) return;
  const made = {
    organizationId,
    id: newId(),
    connectionId,
    provider,
    trigger: 'manual',
    createdAt: now.toISOString(),
    startedAt: now.toISOString(),
  } as const;
  await LmsSyncRun.query(trx).insert({ ...made, ...ended });
}
