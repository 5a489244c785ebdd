// ALT-12: a decision of people closes the alert that it is about, or leaves it open where only another kind of decision may.
import type { Trx } from '#core/platform/db.ts';
import { type ClosingDecision, isClosedBy } from '../engine/alerts/moves.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { closeAlert, type Moment } from './change.ts';

export interface Deciding extends ClosingDecision, Moment {
  readonly organizationId: string;
  readonly studentId: number;
}

/** The student's support is locked. Answers the id of the alert that it closed. */
export async function closeByDecision(trx: Trx, deciding: Deciding): Promise<string | null> {
  const { organizationId, studentId, decision } = deciding;
  const open = await RtiAlert.query(trx).findOne({ organizationId, studentId, state: 'open' });
  if (!open || !isClosedBy(open.kind, deciding)) return null;
  await closeAlert(trx, open, 'decision_committed', deciding, decision);
  return open.id;
}
