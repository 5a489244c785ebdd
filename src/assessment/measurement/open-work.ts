// Whether a diagnostic or an oral reading of one of some students is under way.
import type { Trx } from '#core/platform/db.ts';
import { statusAt } from './diagnostics/session.ts';
import { DiagnosticSession } from './diagnostics/store.ts';
import { OrfAssessment } from './fluency/store.ts';

/** A diagnostic that has expired is not under way. */
export async function isMeasuring(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  now: Date,
): Promise<boolean> {
  const reading = await OrfAssessment.query(trx)
    .where({ organizationId, status: 'OPEN' })
    .whereIn('studentId', [...studentIds])
    .first();
  if (reading) return true;
  const open = await DiagnosticSession.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .whereIn('status', ['IN_PROGRESS', 'PAUSED']);
  return open.some((session) => statusAt(session, now) !== 'EXPIRED');
}
