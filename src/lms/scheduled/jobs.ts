// What lets syncs begin: the event of their asking, a schedule for those that are due, and a sweep for those that were lost or
// whose process died.
import { type CapabilityJobs, reaction } from '../../kernel/jobs.ts';
import type { Services } from '../../kernel/services.ts';
import { inContext } from '../../platform/db.ts';
import type { Job } from '../../platform/queue/queue.ts';
import { rowsOf } from '../../platform/sql.ts';
import { LmsConnection, lockConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { syncRequested } from '../events.ts';
import { nextRunAt } from './next-run.ts';
import { type RunKey, requestRun } from './rows.ts';
import { runSync } from './run.ts';

const queue = 'lms-syncs';
/** One that is due starts within five seconds. */
const sweepEveryMs = 2_000;
const sweepLimit = 200;
/** Of one process at a time: most of it is waiting for a provider. */
const concurrency = 4;

const queueJob = ({ organizationId, id }: RunKey): Job => ({
  queue,
  id: `lms-sync-${id}`,
  data: { organizationId, syncRunId: id },
});

/** Each in a transaction of its own: one that fails keeps no other from beginning. */
export async function beginDueSyncs({ db, clock, log }: Services): Promise<void> {
  const due = await inContext(db, 'SUPER', (trx) =>
    rowsOf<RunKey>(
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

const openRuns = `select organization_id, id from lms_sync_run
  where state in ('queued', 'running') and (held_until is null or held_until < clock_timestamp())
  order by created_at limit :sweepLimit`;

export const syncJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'lms-sync',
      to: [syncRequested],
      toJobs: async (_trx, events) =>
        events.map(({ organizationId, payload }) => queueJob({ organizationId, id: payload.syncRunId })),
    }),
  ],
  handlers: [
    {
      queue,
      concurrency,
      handle: (services, { organizationId, syncRunId }, stop) =>
        runSync(services, { organizationId: String(organizationId), id: String(syncRunId) }, stop),
    },
  ],
  schedules: [
    {
      name: 'lms-sync-sweep',
      everyMs: sweepEveryMs,
      run: async (services, queues) => {
        await beginDueSyncs(services);
        const open = await inContext(services.db, 'SUPER', (trx) => rowsOf<RunKey>(trx, openRuns, { sweepLimit }));
        await queues.add(open.map(queueJob));
      },
    },
  ],
};
