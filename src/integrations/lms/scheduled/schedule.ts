// When connections are synchronized, and starting the syncs that are due.
import { createHash } from 'node:crypto';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { requestRun } from './rows.ts';

const sweepLimit = 200;
const restMs = 20 * hourMs;
const spreadMs = 4 * hourMs;

/**
 * Returns the time of the next scheduled sync. Connections are spread over four hours, each with a fixed offset. `after`: the
 * end of the last run, or the creation of the connection.
 */
export function nextRunAt(connectionId: string, after: Date): Date {
  const offsetMs = createHash('sha256').update(connectionId).digest().readUInt32BE(0) % spreadMs;
  return new Date(after.getTime() + restMs + offsetMs);
}

/** Starts each sync in a transaction of its own, so that a failing one does not stop the others. */
export async function beginDueSyncs({ db, clock, log }: Services): Promise<void> {
  const due = await inContext(db, 'SUPER', (trx) =>
    rowsOf<Pick<LmsConnection, 'organizationId' | 'id'>>(
      trx,
      `select organization_id, id from lms_connection where next_run_at <= :now order by next_run_at limit :sweepLimit`,
      { now: clock.now().toISOString(), sweepLimit },
    ),
  );
  for (const { organizationId, id } of due) {
    try {
      await inContext(db, { organizationId }, async (trx) => {
        const connection = await lockConnection(trx, { organizationId, id });
        const now = clock.now();
        if (connection?.status !== 'active' || new Date(connection.nextRunAt ?? now.getTime() + 1) > now) return;
        const next = nextRunAt(id, now).toISOString();
        await LmsConnection.query(trx).findById([organizationId, id]).patch({ nextRunAt: next });
        if ((await mappingsOf(trx, connection)).length > 0) await requestRun(trx, connection, null, now);
      });
    } catch (error) {
      log.error({ err: error, organizationId, connectionId: id }, 'a sync could not be begun');
    }
  }
}
