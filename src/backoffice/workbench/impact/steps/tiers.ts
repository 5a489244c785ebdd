// Alerts and tiers, where a draft is about them: what would be said of each student.

import type { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { tierSimulation } from '#support/rti/index.ts';
import { addHits, type ImpactPosition, tallyOf } from '../engine/position.ts';
import { addPairs } from '../engine/tally.ts';
import type { RulePair } from '../rule-pair.ts';
import { refusingUnfit } from './inputs.ts';

export type TiersOfStudents = ReadonlyMap<number, tierSimulation.TierParts>;

const unasked: TiersOfStudents = new Map();

/** Nothing where the draft is about something else. */
export async function readTiers(
  trx: Trx,
  services: Pick<Services, 'rules'>,
  { tiers }: RulePair,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<TiersOfStudents> {
  return tiers ? tierSimulation.tierParts(trx, services, tiers.before, of) : unasked;
}

/** Adds what is said before and after to the position, and answers whether it differs. */
export function compareTiers(
  position: ImpactPosition,
  { tiers }: RulePair,
  parts: tierSimulation.TierParts | undefined,
  { organizationId, studentId, id: ref }: simulation.SimulatedRun,
): boolean {
  const answers = tiers && parts && tierAnswers(tiers, parts);
  if (!answers) return false;
  const { before, after } = answers;
  countRules(position, 'before', before);
  countRules(position, 'after', after);
  const who = { organizationId, studentId, ref };
  const pairOf = (from: string, to: string) => [{ subject: String(studentId), from, to }];
  const isOther = [
    addPairs(tallyOf(position, 'ALERT'), who, pairOf(before.alert.outcome, after.alert.outcome)),
    addPairs(tallyOf(position, 'TIER'), who, pairOf(before.tier.outcome, after.tier.outcome)),
  ];
  return isOther.some(Boolean);
}

/** Null for a student of no class. */
export function tierAnswers(tiers: NonNullable<RulePair['tiers']>, parts: tierSimulation.TierParts) {
  const before = tierSimulation.tierAnswer(parts, tiers.before);
  const after = refusingUnfit(() => tierSimulation.tierAnswer(parts, tiers.after));
  return before && after ? { before, after } : null;
}

function countRules(
  position: ImpactPosition,
  side: 'before' | 'after',
  { alert, tier }: tierSimulation.TierAnswer,
): void {
  addHits(position, side, `rti/alerts ${alert.ruleId}`, 1);
  addHits(position, side, `rti/tier-recommendation ${tier.ruleId}`, 1);
}
