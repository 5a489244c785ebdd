// Syncs whose time has come.
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { nextRunAt } from './next-run.ts';
import { requestRun } from './rows.ts';

const sweepLimit = 200;

/** Each in a transaction of its own: one that fails keeps no other from beginning. */
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
