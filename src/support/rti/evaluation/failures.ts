// Evaluations that fail: each is logged with whom it concerns and tried again later and later; after ten in a row it is put
// aside, which operators are told of, until something new is known of the student.
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { errorName, failureBindings, failureColumns, isParked } from '#core/platform/failures.ts';
import { rowsOf } from '#core/platform/sql.ts';

export const evaluationParked: AlertKind = {
  kind: 'qa',
  code: 'RTI_EVALUATION_PARKED',
  severity: 'high',
  subject: 'student',
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
    const [failed] = await rowsOf<{ attempts: number }>(
      trx,
      `update rti_evaluation_request set ${failureColumns}
       where organization_id = :organizationId and student_id = :studentId and requested_seq > processed_seq
       returning attempts`,
      { ...failureBindings(errorName(error), now), organizationId, studentId },
    );
    if (!failed || !isParked(failed)) return;
    await openAlert(trx, evaluationParked, {
      organizationId,
      subjectId: studentId,
      details: { attempts: failed.attempts },
      at: now,
      about: { studentId },
    });
  });
}
