// ALT-12: a decision closes the alert that it is about, unless only another kind of decision may close it.
import type { Trx } from '#core/platform/db.ts';
import { type ClosingDecision, isClosedBy } from '../engine/alerts/moves.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { type AlertMoment, closeAlert } from './change.ts';

export interface Deciding extends ClosingDecision, AlertMoment {
  readonly organizationId: string;
  readonly studentId: number;
}

/** The caller holds the lock of the student's support. Returns the id of the closed alert. */
export async function closeByDecision(trx: Trx, deciding: Deciding): Promise<string | null> {
  const { organizationId, studentId, decision } = deciding;
  const open = await RtiAlert.query(trx).findOne({ organizationId, studentId, state: 'open' });
  if (!open || !isClosedBy(open.kind, deciding)) return null;
  await closeAlert(trx, open, 'decision_committed', deciding, decision);
  return open.id;
}
