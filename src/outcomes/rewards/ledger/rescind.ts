// The door through which a badge is taken back: a row for it, and one that takes back the XP that was booked with it.

import type { Trx } from '#core/platform/db.ts';
import { lockStudents } from '#identity/people/index.ts';
import { insertRescind, insertReversal } from './insert.ts';
import type { BadgeRow, XpRow } from './rows.ts';

export interface Rescinding {
  readonly overrideCode: string;
  /** User id. */
  readonly rescindedBy: number;
  readonly now: Date;
}

export interface Rescinded {
  readonly compensatingXpTransactionId: number;
  /** Negative: what was booked, whatever the badge brings by now. */
  readonly reversalDelta: number;
}

/** Undefined for a badge that was taken back before. Throws NOT_FOUND for a student who was erased. */
export async function takeBackBadge(
  trx: Trx,
  { organizationId, studentId, schoolYear, id: studentBadgeId, triggeringMasteryEventId: masteryEventId }: BadgeRow,
  { overrideCode, rescindedBy, now }: Rescinding,
): Promise<Rescinded | undefined> {
  await lockStudents(trx, organizationId, [studentId]);
  const recordedAt = now.toISOString();
  const own = { organizationId, studentId, schoolYear, studentBadgeId, recordedAt };
  if ((await insertRescind(trx, { ...own, overrideCode, rescindedBy })) === undefined) return undefined;
  const booked: XpRow = await trx('xp_transaction')
    .where({ organizationId, schoolYear, masteryEventId, kind: 'badge_bonus' })
    .first();
  const reversalDelta = -booked.amount;
  const { ruleVersion } = booked;
  const compensatingXpTransactionId = await insertReversal(trx, {
    ...{ ...own, masteryEventId, kind: 'rescind', amount: reversalDelta, ruleVersion },
  });
  return { compensatingXpTransactionId, reversalDelta };
}
