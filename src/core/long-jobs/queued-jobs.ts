// Adds the jobs of a table to their queues: by the event of their creation, and by a sweep for jobs that were released, are
// paused, were lost by a queue, or whose process died.
import type { TObject } from 'typebox';
import type { EventKind, TextId } from '../module/events.ts';
import { type CapabilityJobs, reaction } from '../module/jobs.ts';
import { inContext } from '../platform/db.ts';
import { isFree } from '../platform/leases.ts';
import type { Job } from '../platform/queue/queue.ts';
import { rowsOf } from '../platform/sql.ts';

export interface QueuedJob<Kind extends string> {
  /** Null if the job concerns the whole platform. */
  readonly organizationId: string | null;
  readonly id: string;
  readonly kind: Kind;
}

export interface JobTable<Kind extends string> {
  /** The table has the states `queued` and `running`, and the columns `kind` and `created_at`. */
  readonly table: string;
  /** The name of the reaction, from which that of the sweep is derived. */
  readonly name: string;
  readonly ordered: EventKind<string, TObject<{ jobId: typeof TextId }>>;
  readonly sweepEveryMs: number;
  /** How many jobs of one kind a sweep adds, so that many of one kind do not delay others. */
  readonly mostOfKind: number;
  /** Adding a job that still waits or runs has no effect. */
  toQueue(job: QueuedJob<Kind>): Job;
}

export function queuedJobs<Kind extends string>({ table, name, ordered, ...jobs }: JobTable<Kind>): CapabilityJobs {
  const isOpen = `state in ('queued', 'running') and ${isFree()}`;
  const toQueues = async (found: Promise<QueuedJob<Kind>[]>) => (await found).map(jobs.toQueue);
  const among = `select organization_id, id, kind from ${table} where ${isOpen} and (organization_id, id) in
    (select t.organization_id, t.id from unnest(:organizationIds::text[], :ids::text[]) as t (organization_id, id))`;
  const oldest = `select organization_id, id, kind from (
      select organization_id, id, kind, row_number() over (partition by kind order by created_at, id) as position
      from ${table} where ${isOpen}) open
    where position <= :mostOfKind`;
  return {
    reactions: [
      reaction({
        name,
        to: [ordered],
        toJobs: (trx, events) => {
          const ids = events.map(({ payload }) => payload.jobId);
          const organizationIds = events.map(({ organizationId }) => organizationId);
          return toQueues(rowsOf(trx, among, { organizationIds, ids }));
        },
      }),
    ],
    schedules: [
      {
        name: `${name}-sweep`,
        everyMs: jobs.sweepEveryMs,
        run: async ({ db }, queues) => {
          const { mostOfKind } = jobs;
          await queues.add(await toQueues(inContext(db, 'SUPER', (trx) => rowsOf(trx, oldest, { mostOfKind }))));
        },
      },
    ],
  };
}
