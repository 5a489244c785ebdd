// What lets previews and syncs be worked at: the events of their asking, and a sweep for those that are due, were lost or
// whose process died.
import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { previewRequested, syncRequested } from '../events.ts';
import { beginDueSyncs } from '../scheduled/schedule.ts';
import { concurrencyOf, nextJobs, queueJobOf, queueNames } from './open-jobs.ts';
import { serveQueue } from './serve.ts';

/** One that is due starts within five seconds. */
const sweepEveryMs = 2_000;
/** Organizations of one look. */
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

/** Which of the queues it belongs to is seen by whoever looks. */
const queueJobsOf = (organizationId: string, id: string) =>
  queueNames.map((queue) => queueJobOf(queue, { organizationId, id }));
