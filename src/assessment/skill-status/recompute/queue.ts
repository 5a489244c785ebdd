// The queue of recomputes: one mutable row a student. Asking never waits for a recompute, and many triggers make one run.
// After ten failures in a row a student is parked, which operators are told of, until something new is known of the student
// or other rules come into force.
import type { AlertKind } from '#core/module/alerts.ts';
import type { FailureNotes } from '#core/module/request-queue.ts';
import { nativeError } from '#core/platform/database-errors.ts';
import { errorName } from '#core/platform/failures.ts';
import type { RequestQueue } from '#core/platform/requests/requests.ts';
import { countersOf } from './counters.ts';

export const recomputeParked: AlertKind = {
  kind: 'qa',
  code: 'RECOMPUTE_PARKED',
  severity: 'high',
  subject: 'student',
  summary: 'The recompute of a student has failed for good; it waits until somebody asks for it again.',
};

export const recomputeRequests: RequestQueue<number> & FailureNotes<number> = {
  name: 'sse_recompute_request',
  lock: 'recomputeRequest',
  column: 'student_id',
  type: 'bigint',
  retries: 'parked',
  queue: 'recompute',
  // Enough to make the cost of a transaction small, few enough that a failure throws little away and that a commit is a
  // fraction of a second away.
  atOnce: 100,
  // Each of them takes others along that never failed.
  sweptAtOnce: 1,
  listed: 'studentIds',
  keyOf: Number,
  // As releases before this one write and read it.
  data: {
    of: ([studentId = 0, ...others]) => ({ studentId, ...(others.length > 0 && { others: others.join() }) }),
    keysOf: ({ studentId, others = '' }) => [
      Number(studentId),
      ...String(others).split(',').filter(Boolean).map(Number),
    ],
  },
  parked: recomputeParked,
  about: (studentId) => ({ studentId }),
  describe: describeFailure,
  onFailure({ metrics }, what) {
    const { failures, parked } = countersOf(metrics);
    (what === 'failed' ? failures : parked).inc();
  },
};

const longestFailure = 300;

/** Drivers put values into their messages, and refusals have their code: of other errors the message is kept too. */
function describeFailure(thrown: unknown): string {
  const error = nativeError(thrown);
  const name = errorName(thrown);
  return error instanceof Error && error.name === name ? `${name}: ${error.message}`.slice(0, longestFailure) : name;
}
