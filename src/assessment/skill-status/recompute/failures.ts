// Recomputes that fail: each is logged with whom it concerns and tried again later and later; after ten in a row it is
// parked, which operators are told of, until something new is known of the student or other rules come into force.

import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { nativeError } from '#core/platform/database-errors.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { errorName, failureBindings, failureColumns, isParked } from '#core/platform/failures.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { countersOf } from './counters.ts';

interface FailedRequest {
  readonly studentId: number;
  readonly attempts: number;
}

/** Notes a failure of one student's recompute on the request. The error itself is the caller's to throw. */
export async function noteFailure(
  { db, clock, log, metrics }: Services,
  organizationId: string,
  studentId: number,
  error: unknown,
): Promise<void> {
  log.error({ err: error, organizationId, studentIds: [studentId] }, 'recompute failed');
  countersOf(metrics).failures.inc();
  const now = clock.now();
  await inContext(db, { organizationId }, async (trx) => {
    const failed = await countFailure(trx, organizationId, studentId, describeFailure(error), now);
    if (!failed || !isParked(failed)) return;
    await alertOperators(trx, organizationId, failed, now);
    countersOf(metrics).parked.inc();
    log.error({ organizationId, studentIds: [studentId], attempts: failed.attempts }, 'recompute parked');
  });
}

async function countFailure(
  trx: Trx,
  organizationId: string,
  studentId: number,
  lastError: string,
  now: Date,
): Promise<FailedRequest | undefined> {
  const [failed] = await rowsOf<FailedRequest>(
    trx,
    `update sse_recompute_request set ${failureColumns}
     where organization_id = :organizationId and student_id = :studentId and requested_seq > processed_seq
     returning student_id, attempts`,
    { ...failureBindings(lastError, now), organizationId, studentId },
  );
  return failed;
}

export const recomputeParked: AlertKind = {
  kind: 'qa',
  code: 'RECOMPUTE_PARKED',
  severity: 'high',
  subject: 'student',
  summary: 'The recompute of a student has failed for good; it waits until somebody asks for it again.',
};

/** Once an hour, however often it fails. */
async function alertOperators(
  trx: Trx,
  organizationId: string,
  { studentId, attempts }: FailedRequest,
  now: Date,
): Promise<void> {
  await openAlert(trx, recomputeParked, {
    organizationId,
    subjectId: studentId,
    details: { attempts },
    at: now,
    about: { studentId },
  });
}

const longestFailure = 300;

/** Drivers put values into their messages, and refusals have their code: of other errors the message is kept too. */
function describeFailure(thrown: unknown): string {
  const error = nativeError(thrown);
  const name = errorName(thrown);
  return error instanceof Error && error.name === name ? `${name}: ${error.message}`.slice(0, longestFailure) : name;
}
