// The single writer of rows of the growth ledgers.

import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Award } from '../engine/award.ts';
import { MasteryEvent, RewardCelebration, StudentBadge, StudentBadgeRescind, XpTransaction } from './models.ts';
import type { BadgeRow, MasteryEventRow, RescindRow, XpRow } from './rows.ts';

export type NewMasteryEvent = Omit<MasteryEventRow, 'id'>;

/** Inserts at most one event for each student. Returns those with a new natural key, with their ids. */
export async function insertEvents(trx: Trx, events: readonly NewMasteryEvent[]): Promise<MasteryEventRow[]> {
  const inserted: Pick<MasteryEventRow, 'id' | 'studentId'>[] = await MasteryEvent.query(trx)
    .insert([...events])
    .onConflict()
    .ignore()
    .returning(['id', 'studentId'])
    .toKnexQuery();
  const ids = new Map(inserted.map(({ studentId, id }) => [studentId, id]));
  return events.flatMap((event) => {
    const id = ids.get(event.studentId);
    return id === undefined ? [] : [{ ...event, id }];
  });
}

export interface AwardedEvent {
  readonly event: MasteryEventRow;
  readonly award: Award;
}

/** Books the awards of events, in their order, each in the school year of its event. */
export async function bookAwards(trx: Trx, awarded: readonly AwardedEvent[]): Promise<void> {
  const badges = await insertBadges(trx, awarded);
  const xp = awarded.flatMap(({ event, award }) => xpOf(event, award, badges.get(event.id)));
  if (xp.length > 0) await XpTransaction.query(trx).insert(xp);
  const celebrations = awarded.flatMap(celebrationsOf);
  if (celebrations.length > 0) await RewardCelebration.query(trx).insert(celebrations).onConflict().ignore();
}

type NewXp = Omit<XpRow, 'id'>;

function xpOf(event: MasteryEventRow, { credit, badge }: Award, studentBadgeId: number | undefined): NewXp[] {
  const { organizationId, studentId, schoolYear, id: masteryEventId, recordedAt, ruleVersion, sessionKey } = event;
  const under = { organizationId, studentId, schoolYear, masteryEventId, recordedAt, ruleVersion };
  const { amount, cappedFrom = null } = credit ?? { amount: 0 };
  return [
    ...(credit ? [{ ...under, kind: 'credit', amount, cappedFrom, sessionKey, studentBadgeId: null } as const] : []),
    ...(badge && studentBadgeId !== undefined
      ? [{ ...under, kind: 'badge_bonus', amount: badge.bonusXp, ...ofBadge(studentBadgeId) } as const]
      : []),
  ];
}

/** Badge bonuses do not count towards the session cap. */
const ofBadge = (studentBadgeId: number) => ({ cappedFrom: null, sessionKey: null, studentBadgeId });

/** Returns badge ids by mastery event; an event earns at most one. */
async function insertBadges(trx: Trx, awarded: readonly AwardedEvent[]): Promise<ReadonlyMap<number, number>> {
  const rows = awarded.flatMap(({ event, award: { badge } }): Omit<BadgeRow, 'id'>[] => {
    const { organizationId, studentId, schoolYear, id, recordedAt: awardedAt, ruleVersion } = event;
    const row = { organizationId, studentId, schoolYear, triggeringMasteryEventId: id, awardedAt, ruleVersion };
    return badge ? [{ ...row, code: badge.code }] : [];
  });
  if (rows.length === 0) return new Map();
  const inserted: Pick<BadgeRow, 'id' | 'triggeringMasteryEventId'>[] = await StudentBadge.query(trx)
    .insert(rows)
    .returning(['id', 'triggeringMasteryEventId']);
  return new Map(inserted.map((row) => [row.triggeringMasteryEventId, row.id]));
}

function celebrationsOf({ event, award: { celebrations } }: AwardedEvent) {
  const { organizationId, studentId, schoolYear, id: masteryEventId, recordedAt: createdAt } = event;
  const same = { organizationId, studentId, schoolYear, masteryEventId, createdAt };
  return celebrations.map((celebration) => ({ id: newId(), ...same, ...celebration }));
}

/** Inserts the reversal of a rescinded badge's bonus and returns its id. */
export async function insertReversal(trx: Trx, row: Omit<NewXp, 'cappedFrom' | 'sessionKey'>): Promise<number> {
  return (await XpTransaction.query(trx).insert(row).returning('id')).id;
}

/** Returns the id, or undefined when the badge was rescinded before. */
export async function insertRescind(trx: Trx, row: Omit<RescindRow, 'id'>): Promise<number | undefined> {
  const [inserted]: { id: number }[] = await StudentBadgeRescind.query(trx)
    .insert(row)
    .onConflict()
    .ignore()
    .returning('id')
    .toKnexQuery();
  return inserted?.id;
}
