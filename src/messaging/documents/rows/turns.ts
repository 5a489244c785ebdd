// Selects the document that is rendered next. The workers of all processes select here, so that the many documents of one
// organization or one person do not delay those of others.
import { type Db, inContext, type Trx } from '#core/platform/db.ts';
import { isFree } from '#core/platform/leases.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ReportJob } from './store.ts';

type JobKey = Pick<ReportJob, 'organizationId' | 'id'>;

/** The most documents of one organization that all processes render at once (contract 11, "Queues"). */
const mostAtOnce = 2;

const isOpen = `state in ('queued', 'running') and ${isFree()}`;
const isUnderWay = `state = 'running' and not is_paused and held_until >= clock_timestamp()`;

/**
 * Returns the oldest job of the person who was served longest ago, in the organization that was served longest ago. Returns
 * undefined if no waiting job may begin.
 */
export const nextReport = (db: Db, kind: string): Promise<JobKey | undefined> =>
  inContext(db, 'SUPER', async (trx) => {
    const [next] = await rowsOf<JobKey>(
      trx,
      `with waiting as (
         select organization_id, id, requested_by, created_at from report_job where kind = :kind and ${isOpen}
       ), busy as (
         select organization_id from report_job where ${isUnderWay} group by organization_id having count(*) >= :mostAtOnce
       ), organizations as (
         select o.organization_id, (select max(s.begun_at) from report_job s
           where s.organization_id = o.organization_id and s.kind = :kind) as served_at
         from (select distinct organization_id from waiting) o
       ), people as (
         select p.organization_id, p.requested_by, (select max(s.begun_at) from report_job s
           where s.organization_id = p.organization_id and s.kind = :kind and s.requested_by = p.requested_by) as served_at
         from (select distinct organization_id, requested_by from waiting) p
       )
       select w.organization_id, w.id from waiting w
         join organizations o on o.organization_id = w.organization_id
         join people p on p.organization_id = w.organization_id and p.requested_by = w.requested_by
       where not exists (select from busy b where b.organization_id = w.organization_id)
       order by o.served_at nulls first, p.served_at nulls first, w.created_at, w.id
       limit 1`,
      { kind, mostAtOnce },
    );
    return next;
  });

/** Returns whether another document may begin. Until the transaction ends no other document of the organization begins. */
export async function mayBegin(trx: Trx, organizationId: string): Promise<boolean> {
  await acquireNamedLock(trx, 'documentTurns', organizationId);
  const [found] = await rowsOf<{ readonly count: number }>(
    trx,
    `select count(*)::integer as count from report_job where organization_id = :organizationId and ${isUnderWay}`,
    { organizationId },
  );
  return (found?.count ?? 0) < mostAtOnce;
}
