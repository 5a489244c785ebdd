// How often it was asked that a plan be counted anew, and up to which asking it was. Asking only counts up, so that the relay
// never waits for the support of a student.
import type { Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { askedAgain, isWaiting, type RequestTable, type ServedRequest } from '#core/platform/requests/requests.ts';
import { rowsOf } from '#core/platform/sql.ts';

export const recountQueue = 'fidelity-recount';

/** Plans of one job, and of one transaction: the support of their students is locked as long. */
export const plansAtOnce = 50;

export const recountRequests: RequestTable<string> = {
  ...{ name: 'fidelity_request', lock: 'fidelityRequest', column: 'assignment_id', type: 'text' },
};

export interface AskedPlan {
  readonly organizationId: string;
  readonly studentId: number;
  readonly assignmentId: string;
}

interface RequestKey extends Pick<AskedPlan, 'organizationId' | 'assignmentId'> {
  readonly requestedSeq: number;
}

/** Answers the jobs that will count them. */
export async function requestRecounts(trx: Trx, asked: readonly AskedPlan[], now: Date): Promise<Job[]> {
  const plans = [...new Map(asked.map((one) => [one.assignmentId, one])).values()];
  if (plans.length === 0) return [];
  const raised = await rowsOf<RequestKey>(
    trx,
    `insert into fidelity_request as q (organization_id, assignment_id, student_id, requested_seq, requested_at)
     select t.organization_id, t.assignment_id, t.student_id, 1, :now::timestamptz
     from unnest(:organizationIds::text[], :assignmentIds::text[], :studentIds::bigint[])
       as t (organization_id, assignment_id, student_id)
     order by t.organization_id, t.assignment_id
     on conflict (organization_id, assignment_id) do update set ${askedAgain}
     returning organization_id, assignment_id, requested_seq`,
    {
      organizationIds: plans.map(({ organizationId }) => organizationId),
      assignmentIds: plans.map(({ assignmentId }) => assignmentId),
      studentIds: plans.map(({ studentId }) => studentId),
      now: now.toISOString(),
    },
  );
  return recountJobs(raised);
}

/** One job for many plans of an organization; it is named by the first one. */
function recountJobs(keys: readonly RequestKey[]): Job[] {
  const jobs: Job[] = [];
  for (const organizationId of new Set(keys.map((key) => key.organizationId))) {
    const own = keys.filter((key) => key.organizationId === organizationId);
    for (let from = 0; from < own.length; from += plansAtOnce) {
      const some = own.slice(from, from + plansAtOnce);
      const [first] = some;
      if (!first) continue;
      jobs.push({
        queue: recountQueue,
        id: `${recountQueue}-${first.assignmentId}-${first.requestedSeq}`,
        data: { organizationId, assignmentIds: some.map(({ assignmentId }) => assignmentId).join() },
      });
    }
  }
  return jobs;
}

/** Jobs of requests that have waited for so long: their own were lost, or failed. */
export async function overdueRecounts(trx: Trx, now: Date, waitedMs: number, limit: number): Promise<Job[]> {
  const overdue = await rowsOf<RequestKey>(
    trx,
    `select organization_id, assignment_id, requested_seq from fidelity_request
     where ${isWaiting}
       and (requested_at < :before or requested_at > :now)
     order by attempts > 0, requested_at limit :limit`,
    { before: new Date(now.getTime() - waitedMs).toISOString(), now: now.toISOString(), limit },
  );
  return recountJobs(overdue);
}

/** By plan. */
export interface OpenRequest extends ServedRequest<string> {
  readonly studentId: number;
}

/** What is asked for of these plans by now. */
export const openRequests = (
  trx: Trx,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<OpenRequest[]> =>
  rowsOf(
    trx,
    `select assignment_id as key, student_id, requested_seq from fidelity_request
     where organization_id = :organizationId and assignment_id = any(:assignmentIds::text[])
       and requested_seq > processed_seq
     order by assignment_id`,
    { organizationId, assignmentIds: [...assignmentIds] },
  );
