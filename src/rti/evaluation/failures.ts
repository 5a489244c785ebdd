// Evaluations that fail: each is logged with whom it concerns and tried again later and later; after ten in a row it is put
// aside, which operators are told of, until something new is known of the student.
import { type AlertKind, openAlert } from '../../kernel/alerts.ts';
import type { Services } from '../../kernel/services.ts';
import { inContext, nativeError } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { rowsOf } from '../../platform/sql.ts';

/** The first wait; each further one is twice as long, up to the longest. */
const firstWaitSeconds = 10;
const longestWaitSeconds = 3_600;
const triesBeforeParking = 10;

export const evaluationParked: AlertKind = {
  kind: 'qa',
  code: 'RTI_EVALUATION_PARKED',
  severity: 'high',
  summary:
    'The evaluation of a student’s alerts has failed for good; it waits until something new is known of the student.',
};

/** Notes a failure on the request, where there is one. The error itself is the caller's to throw. */
export async function noteFailure(
  { db, clock, log }: Services,
  organizationId: string,
  studentId: number,
  error: unknown,
): Promise<void> {
  log.error({ err: error, organizationId, studentIds: [studentId] }, 'evaluation of alerts failed');
  const now = clock.now();
  await inContext(db, { organizationId }, async (trx) => {
    const [failed] = await rowsOf<{ attempts: number; requestedSeq: number }>(
      trx,
      `update rti_evaluation_request set last_error = :lastError, attempts = attempts + 1,
         next_try_at = :now::timestamptz + least(:first * power(2, attempts), :longest) * interval '1 second',
         parked_at = case when attempts + 1 >= :tries then :now::timestamptz end
       where organization_id = :organizationId and student_id = :studentId and requested_seq > processed_seq
       returning attempts, requested_seq`,
      {
        ...{ organizationId, studentId, lastError: described(error), now: now.toISOString() },
        ...{ first: firstWaitSeconds, longest: longestWaitSeconds, tries: triesBeforeParking },
      },
    );
    if (!failed || failed.attempts < triesBeforeParking) return;
    await openAlert(trx, evaluationParked, {
      organizationId,
      dedupeKey: `rti_evaluation_parked:${studentId}:${failed.requestedSeq}`,
      details: { attempts: failed.attempts },
      at: now,
      about: { studentId },
    });
  });
}

/** Texts of drivers hold values: of all errors only what names them is kept. */
function described(thrown: unknown): string {
  const error = nativeError(thrown);
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return 'severity' in error && 'code' in error ? `database ${String(error.code)}` : error.name;
}
