// The statements that add rows to the ledgers of growth: nowhere else in the service stands another.
import type { Trx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Award } from '../engine/award.ts';
import type { BadgeRow, MasteryEventRow, RescindRow, XpRow } from './rows.ts';

/** Undefined where the student's natural key is there already. */
export async function insertEvent(trx: Trx, event: Omit<MasteryEventRow, 'id'>): Promise<MasteryEventRow | undefined> {
  const [inserted]: { id: number }[] = await trx('mastery_event').insert(event).onConflict().ignore().returning('id');
  return inserted && { ...event, id: inserted.id };
}

/** What an event has brought, under that event and in its school year. */
export async function bookAward(
  trx: Trx,
  event: MasteryEventRow,
  { credit, badge, celebrations }: Award,
): Promise<void> {
  if (credit) {
    const cappedFrom = credit.cappedFrom ?? null;
    const { amount } = credit;
    await insertXp(trx, { ...under(event), kind: 'credit', amount, cappedFrom, sessionKey: event.sessionKey });
  }
  if (badge) {
    const studentBadgeId = await insertBadge(trx, event, badge.code);
    await insertXp(trx, { ...under(event), kind: 'badge_bonus', amount: badge.bonusXp, studentBadgeId });
  }
  if (celebrations.length === 0) return;
  const { organizationId, studentId, schoolYear, id: masteryEventId, recordedAt: createdAt } = event;
  const same = { organizationId, studentId, schoolYear, masteryEventId, createdAt };
  const rows = celebrations.map((celebration) => ({ id: newId(), ...same, ...celebration }));
  await trx('reward_celebration').insert(rows).onConflict().ignore();
}

type NewXp = Omit<XpRow, 'id' | 'cappedFrom' | 'sessionKey' | 'studentBadgeId'> &
  Partial<Pick<XpRow, 'cappedFrom' | 'sessionKey' | 'studentBadgeId'>>;

const under = ({ organizationId, studentId, schoolYear, id, recordedAt, ruleVersion }: MasteryEventRow) => ({
  ...{ organizationId, studentId, schoolYear, masteryEventId: id, recordedAt, ruleVersion },
});

/** Answers its id. */
export async function insertXp(trx: Trx, row: NewXp): Promise<number> {
  const [inserted]: { id: number }[] = await trx('xp_transaction').insert(row).returning('id');
  return inserted?.id ?? 0;
}

async function insertBadge(trx: Trx, event: MasteryEventRow, code: string): Promise<number> {
  const { organizationId, studentId, schoolYear, id, recordedAt: awardedAt, ruleVersion } = event;
  const row: Omit<BadgeRow, 'id'> = {
    ...{ organizationId, studentId, schoolYear, code },
    ...{ triggeringMasteryEventId: id, awardedAt, ruleVersion },
  };
  const [inserted]: { id: number }[] = await trx('student_badge').insert(row).returning('id');
  return inserted?.id ?? 0;
}

/** Its id; undefined where the badge was taken back before. */
export async function insertRescind(trx: Trx, row: Omit<RescindRow, 'id'>): Promise<number | undefined> {
  const [inserted]: { id: number }[] = await trx('student_badge_rescind')
    .insert(row)
    .onConflict()
    .ignore()
    .returning('id');
  return inserted?.id;
}
