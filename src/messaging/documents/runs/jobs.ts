// What lets jobs be worked at: the event of their asking, and a sweep for those that pause, were lost, or whose process died.
import type { Composed } from '#core/module/capability.ts';
import { type CapabilityJobs, type JobHandler, reaction } from '#core/module/jobs.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { reportQueued } from '../events.ts';
import { openReports } from '../rows/turns.ts';
import { reportKinds } from '../services.ts';
import { runReports } from './run.ts';

/** A pause of five seconds is not to become a long one. */
const sweepEveryMs = 2_000;
const sweptOfKind = 50;
/** Jobs of one process at a time: a document keeps a core busy. */
const concurrency = 1;

interface OpenJob {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: string;
}

const queueOf = (kind: string): string => kind.replaceAll('_', '-');

const queueJob = ({ organizationId, id, kind }: OpenJob): Job => ({
  queue: queueOf(kind),
  id: `report-${id}`,
  data: { organizationId, jobId: id },
});

const openJobs = `select organization_id, id, kind from report_job
  where state in ('queued', 'running') and (held_until is null or held_until < clock_timestamp())`;

/** A queue for each kind of all capabilities: many long documents of one keep no other waiting. */
export const reportHandlers = ({ capabilities }: Pick<Composed, 'capabilities'>): readonly JobHandler[] =>
  [...reportKinds(capabilities).keys()].map((kind) => ({
    queue: queueOf(kind),
    concurrency,
    // Whichever job it hears of, it works at those that are next.
    handle: (services, _data, stop) => runReports(services, kind, stop),
  }));

export const reportJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'report-job',
      to: [reportQueued],
      toJobs: async (trx, events) => {
        const pairs = events.map(({ organizationId, payload }) => [organizationId, payload.jobId] as const);
        const rows = await rowsOf<OpenJob>(
          trx,
          `${openJobs} and (organization_id, id) in
             (select t.organization_id, t.id from unnest(:organizationIds::text[], :ids::text[]) as t (organization_id, id))`,
          { organizationIds: pairs.map(([id]) => id), ids: pairs.map(([, id]) => id) },
        );
        return rows.map(queueJob);
      },
    }),
  ],
  schedules: [
    {
      name: 'report-job-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db }, queues) => {
        await queues.add((await openReports(db, sweptOfKind)).map(queueJob));
      },
    },
  ],
};
