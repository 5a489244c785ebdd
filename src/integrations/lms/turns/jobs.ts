// The jobs of previews and syncs: reactions to the events of their requests, and a sweep for jobs that are due, were lost or
// whose process died.
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { previewRequested, syncRequested } from '../events.ts';
import { beginDueSyncs } from '../scheduled/schedule.ts';
import { concurrencyOf, nextJobs, queueJobOf, queueNames } from './open-jobs.ts';
import { serveQueue } from './serve.ts';

/** With this interval a due job starts within five seconds. */
const sweepEveryMs = 2_000;
/** The number of organizations in one sweep. */
const sweepLimit = 50;

export const rosterJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'lms-preview',
      to: [previewRequested],
      toJobs: async (_trx, events) =>
        events.flatMap(({ organizationId, payload }) => queueJobsOf(organizationId, payload.previewId)),
    }),
    reaction({
      name: 'lms-sync',
      to: [syncRequested],
      toJobs: async (_trx, events) =>
        events.flatMap(({ organizationId, payload }) => queueJobsOf(organizationId, payload.syncRunId)),
    }),
  ],
  handlers: queueNames.map((queue) => ({
    queue,
    concurrency: concurrencyOf[queue],
    handle: (services, _data, stop) => serveQueue(services, queue, stop),
  })),
  schedules: [
    {
      name: 'lms-sweep',
      everyMs: sweepEveryMs,
      run: async (services, queues) => {
        await beginDueSyncs(services);
        for (const queue of queueNames) {
          const open = await nextJobs(services.db, queue, { limit: sweepLimit });
          await queues.add(open.map((job) => queueJobOf(queue, job)));
        }
      },
    },
  ],
};

/** Returns a job for both queues. The worker finds out which of them the preview or run belongs to. */
const queueJobsOf = (organizationId: string, id: string) =>
  queueNames.map((queue) => queueJobOf(queue, { organizationId, id }));
