// Rescinds a badge: a row for the rescind, and a row that reverses the XP booked with the badge.

import type { Trx } from '#core/platform/db.ts';
import { lockStudents } from '#identity/people/index.ts';
import { insertRescind, insertReversal } from './insert.ts';
import { XpTransaction } from './models.ts';
import type { BadgeRow } from './rows.ts';

export interface Rescinding {
  readonly overrideCode: string;
  /** User id. */
  readonly rescindedBy: number;
  readonly now: Date;
}

export interface Rescinded {
  readonly compensatingXpTransactionId: number;
  /** Negative: the bonus as booked, whatever the badge earns now. */
  readonly reversalDelta: number;
}

/** Returns undefined when the badge was rescinded before. Throws NOT_FOUND for an erased student. */
export async function takeBackBadge(
  trx: Trx,
  { organizationId, studentId, schoolYear, id: studentBadgeId, triggeringMasteryEventId: masteryEventId }: BadgeRow,
  { overrideCode, rescindedBy, now }: Rescinding,
): Promise<Rescinded | undefined> {
  await lockStudents(trx, organizationId, [studentId]);
  const recordedAt = now.toISOString();
  const own = { organizationId, studentId, schoolYear, studentBadgeId, recordedAt };
  if ((await insertRescind(trx, { ...own, overrideCode, rescindedBy })) === undefined) return undefined;
  const booked = await XpTransaction.query(trx)
    .where({ organizationId, schoolYear, masteryEventId, kind: 'badge_bonus' })
    .first()
    .throwIfNotFound();
  const reversalDelta = -booked.amount;
  const { ruleVersion } = booked;
  const compensatingXpTransactionId = await insertReversal(trx, {
    ...{ ...own, masteryEventId, kind: 'rescind', amount: reversalDelta, ruleVersion },
  });
  return { compensatingXpTransactionId, reversalDelta };
}
