// The request queue of recounts: one row for each assignment. A request only increments a number, so that the relay never waits
// for the lock of a student's support.
import type { FailureNotes } from '#core/module/request-queue.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { jobsOfKeys, type RequestQueue, raiseRequests } from '#core/platform/requests/requests.ts';

export const recountRequests: RequestQueue<string> & FailureNotes<string> = {
  name: 'fidelity_request',
  lock: 'fidelityRequest',
  column: 'assignment_id',
  type: 'text',
  retries: 'counted',
  queue: 'fidelity-recount',
  // The support of their students is locked in one transaction.
  atOnce: 50,
  listed: 'assignmentIds',
  keyOf: String,
};

export interface AssignmentKey {
  readonly organizationId: string;
  readonly studentId: number;
  readonly assignmentId: string;
}

/** Returns the jobs that will count them. */
export async function requestRecounts(trx: Trx, asked: readonly AssignmentKey[], now: Date): Promise<Job[]> {
  const plans = [...new Map(asked.map((one) => [one.assignmentId, one])).values()];
  if (plans.length === 0) return [];
  const raised = await raiseRequests(trx, recountRequests, {
    from: `select t.*, :now::timestamptz as requested_at
      from unnest(:organizationIds::text[], :assignmentIds::text[], :studentIds::bigint[])
        as t (organization_id, assignment_id, student_id)`,
    columns: ['student_id'],
    bindings: {
      organizationIds: plans.map(({ organizationId }) => organizationId),
      assignmentIds: plans.map(({ assignmentId }) => assignmentId),
      studentIds: plans.map(({ studentId }) => studentId),
      now: now.toISOString(),
    },
  });
  return jobsOfKeys(recountRequests, raised);
}
