// The request queue of evaluations: one row for each student. A request never waits for an evaluation, and several requests
// lead to one. After ten failures in a row a student is parked with an alert until the next request.
import type { AlertKind } from '#core/module/alerts.ts';
import type { FailureNotes } from '#core/module/request-queue.ts';
import type { Trx } from '#core/platform/db.ts';
import type { Job } from '#core/platform/queue/queue.ts';
import { jobsOfKeys, type RequestQueue, raiseRequests } from '#core/platform/requests/requests.ts';

export const evaluationParked: AlertKind = {
  kind: 'qa',
  code: 'RTI_EVALUATION_PARKED',
  severity: 'high',
  subject: 'student',
  summary:
    'The evaluation of a student’s alerts has failed for good; it waits until something new is known of the student.',
};

export const evaluationRequests: RequestQueue<number> & FailureNotes<number> = {
  name: 'rti_evaluation_request',
  lock: 'evaluationRequest',
  column: 'student_id',
  type: 'bigint',
  retries: 'parked',
  queue: 'rti-evaluation',
  // The support of all of them is locked in one transaction.
  atOnce: 50,
  listed: 'studentIds',
  keyOf: Number,
  parked: evaluationParked,
  about: (studentId) => ({ studentId }),
};

export interface EvaluationKey {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Returns the jobs that will serve them. */
export async function requestEvaluations(trx: Trx, asked: readonly EvaluationKey[], now: Date): Promise<Job[]> {
  if (asked.length === 0) return [];
  const raised = await raiseRequests(trx, evaluationRequests, {
    from: `select distinct t.organization_id, t.student_id, :now::timestamptz as requested_at
      from unnest(:organizationIds::text[], :studentIds::bigint[]) as t (organization_id, student_id)`,
    bindings: {
      organizationIds: asked.map(({ organizationId }) => organizationId),
      studentIds: asked.map(({ studentId }) => studentId),
      now: now.toISOString(),
    },
  });
  return jobsOfKeys(evaluationRequests, raised);
}
