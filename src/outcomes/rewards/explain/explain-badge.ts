// Explains a badge: the event that earned it, its condition, and the badges that were checked before it.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { sentencesInForce } from '#rules/catalogue/index.ts';
import { MasteryEvent, StudentBadge, StudentBadgeRescind } from '../ledger/models.ts';
import type { BadgeRow, MasteryEventRow, RescindRow } from '../ledger/rows.ts';
import { masteryFrameOf } from './explain-mastery.ts';
import { bookedUnder, presentXp, replayAward } from './replay-award.ts';
import type { ExplainedBadge } from './schemas.ts';

/** Returns undefined for a row out of reach. Uses the pinned rules, not those in force. */
export async function explainBadge(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedBadge | undefined> {
  const found = await reading((trx) => read(trx, id));
  if (!found) return undefined;
  const { badge, event, rescind } = found;
  const { rules, award, checks } = await replayAward(reading, services, event);
  const { xp } = await bookedUnder(reading, event);
  const own = xp.filter(({ studentBadgeId }) => studentBadgeId === badge.id);
  const rule = rules.badgeOf(badge.code);
  if (!rule) throw new RangeError(`${badge.ruleVersion} does not know the badge ${badge.code}`);
  const check = checks.find(({ code }) => code === badge.code);
  const bonus = own.find(({ kind }) => kind === 'badge_bonus');
  return {
    ...masteryFrameOf(event, `badge:${id}`, await sentencesInForce(reading, services)),
    ...{ kind: 'badge', asOf: badge.awardedAt },
    result: {
      ...{ code: badge.code, status: rescind ? 'rescinded' : 'active' },
      ...{ condition: rule.condition, reached: check?.reached ?? 0 },
      rescind: rescind ?? null,
    },
    matchesStored: award.badge?.code === badge.code && award.badge.bonusXp === bonus?.amount,
    from: {
      masteryEvent: {
        ...{ stampId: `mastery:${event.id}`, sourceKind: event.sourceKind, occurredAt: event.occurredAt },
      },
    },
    ...{ evaluated: [...checks], booked: { xp: own.map(presentXp) } },
  };
}

async function read(trx: Trx, id: number) {
  const badge: BadgeRow | undefined = await StudentBadge.query(trx).modify(inAnyOrganization).where({ id }).first();
  if (!badge) return undefined;
  const { organizationId, schoolYear } = badge;
  const event: MasteryEventRow | undefined = await MasteryEvent.query(trx)
    .where({ organizationId, schoolYear, id: badge.triggeringMasteryEventId })
    .first();
  if (!event) throw new RangeError('a badge without its mastery event');
  const rescind: Pick<RescindRow, 'overrideCode' | 'rescindedBy' | 'recordedAt'> | undefined =
    await StudentBadgeRescind.query(trx)
      .where({ organizationId, schoolYear, studentBadgeId: id })
      .select('overrideCode', 'rescindedBy', 'recordedAt')
      .first();
  return { badge, event, rescind };
}
