// Gates of open plans, where a draft is about what was delivered: what would be said of each.

import type { Trx } from '#core/platform/db.ts';
import { fidelitySimulation } from '#support/fidelity/index.ts';
import { addHits, type ImpactPosition, tallyOf } from '../engine/position.ts';
import { addPairs } from '../engine/tally.ts';
import type { RulePair } from '../rule-pair.ts';

type Plans = readonly fidelitySimulation.OpenPlan[];
type Asked = Parameters<typeof fidelitySimulation.openPlansOf>[1];

/** None where the draft is about something else. */
export const readPlans = async (trx: Trx, { fidelity }: RulePair, asked: Asked): Promise<Plans> =>
  fidelity ? fidelitySimulation.openPlansOf(trx, asked) : [];

/** Adds what changes to the position, and answers the students of whose plans another thing would be said. */
export function compareGates(
  organizationId: string,
  plans: Plans,
  { fidelity }: RulePair,
  position: ImpactPosition,
): Set<number> {
  const changed = new Set<number>();
  if (!fidelity) return changed;
  for (const plan of plans) {
    const { studentId, assignmentId } = plan;
    const before = fidelitySimulation.gateOf(plan, fidelity.before);
    const after = fidelitySimulation.gateOf(plan, fidelity.after);
    addHits(position, 'before', `fidelity/gate ${before.ruleId}`, 1);
    addHits(position, 'after', `fidelity/gate ${after.ruleId}`, 1);
    const pair = { subject: assignmentId, from: before.gate, to: after.gate };
    const who = { organizationId, studentId, ref: assignmentId };
    if (addPairs(tallyOf(position, 'FIDELITY'), who, [pair])) changed.add(studentId);
  }
  return changed;
}
