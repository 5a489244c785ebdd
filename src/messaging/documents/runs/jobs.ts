// What lets documents be rendered: a queue for each of their kinds.
import { queuedJobs } from '#core/long-jobs/index.ts';
import type { Composed } from '#core/module/capability.ts';
import type { JobHandler } from '#core/module/jobs.ts';
import { reportQueued } from '../events.ts';
import { reportKinds } from '../services.ts';
import { runReports } from './run.ts';

/** Jobs of one process at a time: a document keeps a core busy. */
const concurrency = 1;

const queueOf = (kind: string): string => kind.replaceAll('_', '-');

/** A queue for each kind of all capabilities: many long documents of one keep no other waiting. */
export const reportHandlers = ({ capabilities }: Pick<Composed, 'capabilities'>): readonly JobHandler[] =>
  [...reportKinds(capabilities).keys()].map((kind) => ({
    queue: queueOf(kind),
    concurrency,
    // Whichever job it hears of, it works at those that are next.
    handle: (services, _data, stop) => runReports(services, kind, stop),
  }));

export const reportJobs = queuedJobs({
  table: 'report_job',
  name: 'report-job',
  ordered: reportQueued,
  // A pause of five seconds is not to become a long one.
  sweepEveryMs: 2_000,
  mostOfKind: 50,
  toQueue: ({ organizationId, id, kind }) => ({
    queue: queueOf(kind),
    id: `report-${id}`,
    data: { organizationId: organizationId ?? '', jobId: id },
  }),
});
