// Ends the practice of a diagnostic that is voided: it was chosen by answers that do not count.
import type { Trx } from '#core/platform/db.ts';
import { lockRows } from '#core/platform/locks.ts';
import type { RequestServices } from '../services.ts';
import { endQueue } from './complete.ts';
import { recordOf } from './queue.ts';
import { PracticeQueue } from './store.ts';

interface VoidedDiagnostic {
  readonly organizationId: string;
  readonly studentId: number;
  readonly refId: string;
}

/** The caller holds the lock of the student. */
export async function replaceQueueOf(
  services: RequestServices,
  trx: Trx,
  { organizationId, studentId, refId: diagnosticSessionId }: VoidedDiagnostic,
  now: Date,
): Promise<void> {
  const seeded = PracticeQueue.query(trx).where({ organizationId, studentId, diagnosticSessionId, status: 'ACTIVE' });
  const active = await lockRows('practice', 'change', seeded).first();
  if (active) await endQueue(services, trx, await recordOf(services, trx, active, now), 'REPLACED', now);
}
