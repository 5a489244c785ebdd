// The queue of recomputes: one mutable row per student. A request never waits for a recompute, and many triggers give
// one run. After ten consecutive failures a student is parked, with an alert to operators, until new evidence arrives
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
  summary: 'The recompute of a student has failed for good; it waits until it is requested again.',
};

export const recomputeRequests: RequestQueue<number> & FailureNotes<number> = {
  name: 'sse_recompute_request',
  lock: 'recomputeRequest',
  column: 'student_id',
  type: 'bigint',
  retries: 'parked',
  queue: 'recompute',
  // Large enough that the cost of a transaction is small; small enough that a failure discards little and a commit
  // takes a fraction of a second.
  atOnce: 100,
  // Each of them also serves others that never failed.
  sweptAtOnce: 1,
  listed: 'studentIds',
  keyOf: Number,
  // The column names of earlier releases.
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

/**
 * Describes a failure without personal data: driver messages may contain values, so only their code is kept. Refusals
 * give their code, other errors also their message.
 */
function describeFailure(thrown: unknown): string {
  const error = nativeError(thrown);
  const name = errorName(thrown);
  return error instanceof Error && error.name === name ? `${name}: ${error.message}`.slice(0, longestFailure) : name;
}
