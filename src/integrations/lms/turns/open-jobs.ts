// The two queues of roster jobs, and which open jobs come next. A queue job only says that there is work: the next job is chosen
// when a worker is free. The order is fair: the organization served longest ago comes first, and of its jobs the oldest one of
// the person served longest ago.
import { type Db, inReadOnlyContext } from '#core/platform/db.ts';
import { isFree } from '#core/platform/leases.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Network requests have a queue of their own, so that a slow platform does not delay the import of files. */
export const queueNames = ['lms-conversations', 'lms-previews'] as const;
export type QueueName = (typeof queueNames)[number];

/** The number of jobs in one process. A job over the network spends most of its time waiting. */
export const concurrencyOf: Readonly<Record<QueueName, number>> = { 'lms-conversations': 6, 'lms-previews': 2 };

/** Returns the queue job for a preview or run. */
export const queueJobOf = (queue: QueueName, { organizationId, id }: { organizationId: string; id: string }): Job => ({
  queue,
  id: `lms-${id}`,
  data: { organizationId, id },
});

export interface OpenJob {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: 'preview' | 'run';
  /** The person who has requested it, or 0 for a scheduled run. */
  readonly personId: number;
}

const ofQueue = `(c.kind = 'csv') = (:queue = 'lms-previews')`;

/** Leaves out previews of runs, which the run builds, and organizations that a worker is serving. */
const statement = `
  with waiting as (
    select p.organization_id, p.id, 'preview' as kind, p.created_by as person_id, p.created_at
    from lms_preview p join lms_connection c on c.organization_id = p.organization_id and c.id = p.connection_id
    where p.state = 'building' and p.run_id is null and ${isFree('p')} and ${ofQueue}
    union all
    select r.organization_id, r.id, 'run', coalesce(r.asked_by, 0), r.created_at
    from lms_sync_run r join lms_connection c on c.organization_id = r.organization_id and c.id = r.connection_id
    where r.state in ('queued', 'running') and ${isFree('r')} and ${ofQueue}),
  ranked as (
    select w.*, t.served_at, row_number() over (partition by w.organization_id order by
        (t.people_served ->> w.person_id::text)::double precision nulls first, w.created_at, w.id) as rank
    from waiting w left join lms_turn t on t.organization_id = w.organization_id and t.queue = :queue
    where (t.organization_id is null or ${isFree('t')}) and w.id <> all(:except::text[]))
  select organization_id, id, kind, person_id from ranked where rank = 1
  order by served_at nulls first, created_at, id limit :limit`;

/** `except`: the ids of jobs to leave out. */
export const nextJobs = (
  db: Db,
  queue: QueueName,
  { except = [], limit }: { readonly except?: Iterable<string>; readonly limit: number },
): Promise<OpenJob[]> =>
  inReadOnlyContext(db, 'SUPER', (trx) => rowsOf<OpenJob>(trx, statement, { queue, except: [...except], limit }));
