// How often an evaluation of a student was asked for, and up to which asking they were made. Asking only counts up, so that
// it never waits for an evaluation, and many triggers make one.
import type { Trx } from '#core/platform/db.ts';
import { notFailed } from '#core/platform/failures.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { closeServed, type RequestTable } from '#core/platform/requests/requests.ts';
import { rowsOf } from '#core/platform/sql.ts';

export const evaluationQueue = 'rti-evaluation';

/** Students of one job, and of one transaction: one that fails throws little away. */
export const studentsAtOnce = 50;

const evaluationRequests: RequestTable<number> = {
  ...{ name: 'rti_evaluation_request', lock: 'evaluationRequest', column: 'student_id', type: 'bigint' },
  served: notFailed,
};

/** `:now` is bound to the Clock's moment. */
const isDue = 'parked_at is null and (next_try_at is null or next_try_at <= :now::timestamptz)';

export interface Asked {
  readonly organizationId: string;
  readonly studentId: number;
}

const columnsOf = (asked: readonly Asked[]) => ({
  organizationIds: asked.map(({ organizationId }) => organizationId),
  studentIds: asked.map(({ studentId }) => studentId),
});

interface RequestKey extends Asked {
  readonly requestedSeq: number;
}

/** Answers the jobs that will serve them. Whatever asks may have changed what failed: who was parked is tried again. */
export async function requestEvaluations(trx: Trx, asked: readonly Asked[], now: Date): Promise<Job[]> {
  const rows = [...new Map(asked.map((one) => [`${one.organizationId} ${one.studentId}`, one])).values()];
  if (rows.length === 0) return [];
  const raised = await rowsOf<RequestKey>(
    trx,
    `insert into rti_evaluation_request as q (organization_id, student_id, requested_seq, requested_at)
     select t.organization_id, t.student_id, 1, :now::timestamptz
     from unnest(:organizationIds::text[], :studentIds::bigint[]) as t (organization_id, student_id)
     order by t.organization_id, t.student_id
     on conflict (organization_id, student_id) do update set requested_seq = q.requested_seq + 1,
       requested_at = excluded.requested_at, attempts = 0, next_try_at = null, parked_at = null
     returning organization_id, student_id, requested_seq`,
    { ...columnsOf(rows), now: now.toISOString() },
  );
  return evaluationJobs(raised);
}

/** Jobs for those who are waiting; nothing is asked anew. */
export const jobsOfOpenRequests = async (trx: Trx, asked: readonly Asked[]): Promise<Job[]> =>
  asked.length === 0
    ? []
    : evaluationJobs(
        await rowsOf<RequestKey>(
          trx,
          `select q.organization_id, q.student_id, q.requested_seq
           from unnest(:organizationIds::text[], :studentIds::bigint[]) as t (organization_id, student_id)
           join rti_evaluation_request q on q.organization_id = t.organization_id and q.student_id = t.student_id
             and q.requested_seq > q.processed_seq
           group by q.organization_id, q.student_id order by q.organization_id, q.student_id`,
          columnsOf(asked),
        ),
      );

/** One job for many students of an organization; it is named by the first one. */
function evaluationJobs(keys: readonly RequestKey[]): Job[] {
  const jobs: Job[] = [];
  for (const organizationId of new Set(keys.map((key) => key.organizationId))) {
    const own = keys.filter((key) => key.organizationId === organizationId);
    for (let from = 0; from < own.length; from += studentsAtOnce) {
      const [first, ...others] = own.slice(from, from + studentsAtOnce);
      if (!first) continue;
      jobs.push({
        queue: evaluationQueue,
        id: `rti-evaluation-${first.studentId}-${first.requestedSeq}`,
        data: { organizationId, studentIds: [first, ...others].map(({ studentId }) => studentId).join() },
      });
    }
  }
  return jobs;
}

/** Jobs of requests that have waited for so long: their own were lost, or failed a while ago. The latter come last. */
export async function overdueEvaluations(trx: Trx, now: Date, waitedMs: number, limit: number): Promise<Job[]> {
  const overdue = await rowsOf<RequestKey>(
    trx,
    `select organization_id, student_id, requested_seq from rti_evaluation_request
     where requested_seq > processed_seq and (requested_at < :before or requested_at > :now) and ${isDue}
     order by last_error is not null, requested_at limit :limit`,
    { before: new Date(now.getTime() - waitedMs).toISOString(), now: now.toISOString(), limit },
  );
  return evaluationJobs(overdue);
}

export interface OpenRequest {
  readonly studentId: number;
  readonly requestedSeq: number;
}

/** Those of the students who wait and may be tried now. */
export const dueRequests = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  now: Date,
): Promise<OpenRequest[]> =>
  rowsOf(
    trx,
    `select student_id, requested_seq from rti_evaluation_request
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       and requested_seq > processed_seq and ${isDue}
     order by student_id`,
    { organizationId, studentIds: [...studentIds], now: now.toISOString() },
  );

/** What of these students is asked for by now; read under their lock, so that nothing asked for later is closed. */
export const openRequests = (trx: Trx, organizationId: string, studentIds: readonly number[]): Promise<OpenRequest[]> =>
  rowsOf(
    trx,
    `select student_id, requested_seq from rti_evaluation_request
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[]) and requested_seq > processed_seq`,
    { organizationId, studentIds: [...studentIds] },
  );

export const closeRequests = (trx: Trx, organizationId: string, served: readonly OpenRequest[]): Promise<void> =>
  closeServed(
    trx,
    evaluationRequests,
    organizationId,
    served.map(({ studentId: key, requestedSeq }) => ({ key, requestedSeq })),
  );
