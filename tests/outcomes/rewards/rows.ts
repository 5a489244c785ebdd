// Rows of growth for tests, written without the service by its own rules.

import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { MasterySourceKind } from '#outcomes/rewards/engine/enums.ts';
import type { UserRow } from '../../harness/factories.ts';

const schoolYear = '2025-2026';
const ruleVersion = 'gamification/rewards@1';

export interface GrowthRow {
  readonly kind?: MasterySourceKind;
  /** Local date, at eight in the morning UTC. */
  readonly on?: string;
  /** Whose XP it counts to; left out: one of its own. */
  readonly session?: string;
  readonly missed?: number;
  /** XP that is credited. */
  readonly xp?: number;
  /** Code of a badge that it brings, with 10 XP. */
  readonly badge?: string;
  readonly celebrates?: readonly { readonly kind: string; readonly value: number }[];
}

export interface Grown {
  readonly masteryEventId: number;
  readonly studentBadgeId: number | null;
  readonly celebrationIds: readonly string[];
}

let last = 0;

/** One mastery event of a student, with what it brought. */
export async function buildGrowth(
  owner: Db,
  { id: studentId, organizationId }: Pick<UserRow, 'id' | 'organizationId'>,
  {
    kind = 'subskill_state_up',
    on = '2026-01-15',
    missed = 0,
    session,
    xp = 20,
    badge,
    celebrates = [],
  }: GrowthRow = {},
): Promise<Grown> {
  last += 1;
  const at = `${on}T08:00:00.000Z`;
  const sessionKey = session ?? `orf:${newId()}`;
  const own = { organizationId, studentId, schoolYear };
  const [event] = await owner('mastery_event')
    .insert({
      ...{
        ...own,
        sourceKind: kind,
        naturalKey: `DEC_WORD:${last}`,
        sourceType: 'skill_state',
        sourceId: String(last),
      },
      ...{ subSkillCode: 'DEC_WORD', sessionKey, occurredAt: at, localDate: on, missedSchoolDays: missed },
      ...{ recordedAt: at, ruleVersion },
    })
    .returning('id');
  const masteryEventId = event.id;
  const booked = { ...own, masteryEventId, recordedAt: at, ruleVersion };
  if (xp > 0) await owner('xp_transaction').insert({ ...booked, kind: 'credit', amount: xp, sessionKey });
  let studentBadgeId: number | null = null;
  if (badge !== undefined) {
    const row = { ...own, code: badge, triggeringMasteryEventId: masteryEventId, awardedAt: at, ruleVersion };
    const [stored] = await owner('student_badge').insert(row).returning('id');
    studentBadgeId = stored.id;
    await owner('xp_transaction').insert({ ...booked, kind: 'badge_bonus', amount: 10, studentBadgeId });
  }
  const celebrations = celebrates.map((one) => ({ id: newId(), ...own, masteryEventId, createdAt: at, ...one }));
  if (celebrations.length > 0) await owner('reward_celebration').insert(celebrations);
  return { masteryEventId, studentBadgeId, celebrationIds: celebrations.map(({ id }) => id) };
}
