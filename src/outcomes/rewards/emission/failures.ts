// Failures of candidates: each is retried with growing delays and parked after ten attempts, with an alert for
// operators.
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { errorName, failureBindings, failureColumns, isParked } from '#core/platform/failures.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Candidate } from './candidates.ts';

export const masteryParked: AlertKind = {
  kind: 'qa',
  code: 'MASTERY_PARKED',
  severity: 'high',
  subject: 'mastery_candidate',
  summary: 'The growth of a student could not be evaluated; the fact is parked.',
};

export async function recordFailure(
  trx: Trx,
  { log }: Pick<Services, 'log'>,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
  { id, studentId, topic }: Candidate,
  error: unknown,
): Promise<void> {
  log.error({ err: error, organizationId, studentIds: [studentId], topic }, 'growth could not be evaluated');
  const [failed] = await rowsOf<{ attempts: number }>(
    trx,
    `update mastery_candidate set ${failureColumns}
     where organization_id = :organizationId and id = :id returning attempts`,
    { ...failureBindings(errorName(error), now), organizationId, id },
  );
  if (!failed || !isParked(failed)) return;
  await openAlert(trx, masteryParked, {
    ...{ organizationId, subjectId: id, details: { topic, attempts: failed.attempts }, at: now },
    about: { studentId },
  });
}
