// Why a mastery event is there: what it was found in, what it is better than, the evidence that was new, and what it brought.
import type { Services } from '#core/module/services.ts';
import type { Reading } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { rewardsDocument } from '../engine/rules.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';
import { awardedAgain, bookedUnder, isAsBooked, presentAward, presentXp } from './award-again.ts';
import { originOf } from './compared.ts';
import { growthChecks } from './growth-again.ts';
import type { ExplainedMastery } from './schemas.ts';

/** What each check says of an event that is rightly there. */
const asStored: ReadonlySet<string> = new Set(['not_halted', 'same', 'new']);

/** Undefined for a row out of sight. Today's rules play no part. */
export async function explainMastery(
  reading: Reading,
  services: Services,
  id: number,
): Promise<ExplainedMastery | undefined> {
  const event: MasteryEventRow | undefined = await reading(async (trx) =>
    trx('mastery_event').modify(inAnyOrganization).where({ id }).first(),
  );
  if (!event) return undefined;
  const again = await awardedAgain(reading, services, event);
  const booked = await bookedUnder(reading, event);
  const { stampId, compared } = await reading((trx) => originOf(trx, event));
  const checks: ExplainedMastery['checks'] = [
    ...(await reading((trx) => growthChecks(trx, services, event))),
    { check: 'award', outcome: isAsBooked(again, booked) ? 'same' : 'other' },
  ];
  return {
    ...frameOf(event, `mastery:${id}`),
    ...{ kind: 'mastery', asOf: event.recordedAt, result: resultOf(event) },
    matchesStored: checks.every(({ outcome }) => asStored.has(outcome)),
    from: {
      ...{ source: { type: event.sourceType, id: event.sourceId, stampId }, compared },
      evidence: { sessionKey: event.sessionKey, storedAt: event.occurredAt },
    },
    ...{ checks, award: presentAward(event, again) },
    booked: {
      xp: booked.xp.map(presentXp),
      badge: booked.badge && { code: booked.badge.code, stampId: `badge:${booked.badge.id}` },
      celebrations: booked.celebrations.map(({ kind, value }) => ({ kind, value })),
    },
  };
}

/** No table is asked: what decides are the values of one document. */
export const frameOf = ({ organizationId, studentId, ruleVersion }: MasteryEventRow, stampId: string) => ({
  ...{ stampId, organizationId, studentId, decisions: [], nearestChange: null },
  ruleVersions: { [rewardsDocument]: Number(ruleVersion.split('@')[1]) },
});

const resultOf = (event: MasteryEventRow): ExplainedMastery['result'] => ({
  ...{ sourceKind: event.sourceKind, naturalKey: event.naturalKey, reached: event.reached },
  ...{ subSkillCode: event.subSkillCode, domainCode: event.domainCode, sessionKey: event.sessionKey },
  ...{ occurredAt: event.occurredAt, localDate: event.localDate, missedSchoolDays: event.missedSchoolDays },
});
