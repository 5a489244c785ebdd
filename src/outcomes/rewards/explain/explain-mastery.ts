// Explains a mastery event: its source, the row that it improved on, the new evidence, and what it earned.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { type Sentences, sayDecision, sentencesInForce } from '#rules/catalogue/index.ts';
import { rewardsDocument } from '../engine/rules.ts';
import { MasteryEvent } from '../ledger/models.ts';
import type { MasteryEventRow } from '../ledger/rows.ts';
import { originOf } from './origin.ts';
import { bookedUnder, isAsBooked, presentAward, presentXp, replayAward } from './replay-award.ts';
import { growthChecks } from './replay-growth.ts';
import type { ExplainedMastery } from './schemas.ts';

/** Outcomes of the checks of a correct event. */
const asStored: ReadonlySet<string> = new Set(['not_halted', 'same', 'new']);

/** Returns undefined for a row out of reach. Uses the pinned rules, not those in force. */
export async function explainMastery(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedMastery | undefined> {
  const event: MasteryEventRow | undefined = await reading(async (trx) =>
    MasteryEvent.query(trx).modify(inAnyOrganization).where({ id }).first(),
  );
  if (!event) return undefined;
  const replayed = await replayAward(reading, services, event);
  const booked = await bookedUnder(reading, event);
  const { stampId, compared } = await reading((trx) => originOf(trx, event));
  const checks: ExplainedMastery['checks'] = [
    ...(await reading((trx) => growthChecks(trx, services, event))),
    { check: 'award', outcome: isAsBooked(replayed, booked) ? 'same' : 'other' },
  ];
  return {
    ...masteryFrameOf(event, `mastery:${id}`, await sentencesInForce(reading, services)),
    ...{ kind: 'mastery', asOf: event.recordedAt, result: resultOf(event) },
    matchesStored: checks.every(({ outcome }) => asStored.has(outcome)),
    from: {
      ...{ source: { type: event.sourceType, id: event.sourceId, stampId }, compared },
      evidence: { sessionKey: event.sessionKey, storedAt: event.occurredAt },
    },
    ...{ checks, award: presentAward(event, replayed) },
    booked: {
      xp: booked.xp.map(presentXp),
      badge: booked.badge && { code: booked.badge.code, stampId: `badge:${booked.badge.id}` },
      celebrations: booked.celebrations.map(({ kind, value }) => ({ kind, value })),
    },
  };
}

/** There are no decisions of tables to explain: the values of one document decide. */
export const masteryFrameOf = (
  { organizationId, studentId, ruleVersion }: MasteryEventRow,
  stampId: string,
  sentences: Sentences,
) => ({
  ...{ stampId, organizationId, studentId, decisions: [], nearestChange: null },
  sentence: sayDecision(sentences, 'GAMIFICATION', undefined),
  ruleVersions: { [rewardsDocument]: Number(ruleVersion.split('@')[1]) },
});

const resultOf = (event: MasteryEventRow): ExplainedMastery['result'] => ({
  ...{ sourceKind: event.sourceKind, naturalKey: event.naturalKey, reached: event.reached },
  ...{ subSkillCode: event.subSkillCode, domainCode: event.domainCode, sessionKey: event.sessionKey },
  ...{ occurredAt: event.occurredAt, localDate: event.localDate, missedSchoolDays: event.missedSchoolDays },
});
