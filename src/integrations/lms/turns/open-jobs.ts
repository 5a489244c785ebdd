// What waits for somebody to work at it: of each organization the oldest job of the person served longest ago, and of the
// organizations first the one served longest ago.
import { type Db, inReadOnlyContext } from '#core/platform/db.ts';
import { isFree } from '#core/platform/leases.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { QueueName } from './queues.ts';

export interface OpenJob {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: 'preview' | 'run';
  /** Who asked; 0 for a run that was due. */
  readonly personId: number;
}

const ofQueue = `(c.kind = 'csv') = (:queue = 'lms-previews')`;

/** A preview that a run has made is built by that run. Organizations that are served at the moment have no next job. */
const statement = `
  with waiting as (
    select p.organization_id, p.id, 'preview' as kind, p.created_by as person_id, p.created_at
    from lms_preview p join lms_connection c on c.organization_id = p.organization_id and c.id = p.connection_id
    where p.state = 'building' and p.run_id is null and ${isFree('p')} and ${ofQueue}
    union all
    select r.organization_id, r.id, 'run', coalesce(r.asked_by, 0), r.created_at
    from lms_sync_run r join lms_connection c on c.organization_id = r.organization_id and c.id = r.connection_id
    where r.state in ('queued', 'running') and ${isFree('r')} and ${ofQueue}),
  placed as (
    select w.*, t.served_at, row_number() over (partition by w.organization_id order by
        (t.people_served ->> w.person_id::text)::double precision nulls first, w.created_at, w.id) as place
    from waiting w left join lms_turn t on t.organization_id = w.organization_id and t.queue = :queue
    where (t.organization_id is null or ${isFree('t')}) and w.id <> all(:except::text[]))
  select organization_id, id, kind, person_id from placed where place = 1
  order by served_at nulls first, created_at, id limit :limit`;

/** `except`: ids that are left out. */
export const nextJobs = (
  db: Db,
  queue: QueueName,
  { except = [], limit }: { readonly except?: Iterable<string>; readonly limit: number },
): Promise<OpenJob[]> =>
  inReadOnlyContext(db, 'SUPER', (trx) => rowsOf<OpenJob>(trx, statement, { queue, except: [...except], limit }));
