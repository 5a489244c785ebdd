// The background work of documents: a queue for each kind.
import { queuedJobs } from '#core/long-jobs/index.ts';
import type { ComposedCapabilities } from '#core/module/capability.ts';
import type { JobHandler } from '#core/module/jobs.ts';
import { reportQueued } from '../events.ts';
import { reportKinds } from '../services.ts';
import { runReports } from './run.ts';

/** The most jobs of one process at once, because a document keeps a core busy. */
const concurrency = 1;

const queueOf = (kind: string): string => kind.replaceAll('_', '-');

/** One queue per kind, so that many long documents of one kind do not delay other kinds. */
export const reportHandlers = ({ capabilities }: Pick<ComposedCapabilities, 'capabilities'>): readonly JobHandler[] =>
  [...reportKinds(capabilities).keys()].map((kind) => ({
    queue: queueOf(kind),
    concurrency,
    // The named job only wakes the worker, which runs the jobs that are next.
    handle: (services, _data, stop) => runReports(services, kind, stop),
  }));

export const reportJobs = queuedJobs({
  table: 'report_job',
  name: 'report-job',
  ordered: reportQueued,
  // The interval keeps a pause of five seconds from becoming a long one.
  sweepEveryMs: 2_000,
  mostOfKind: 50,
  toQueue: ({ organizationId, id, kind }) => ({
    queue: queueOf(kind),
    id: `report-${id}`,
    data: { organizationId: organizationId ?? '', jobId: id },
  }),
});
