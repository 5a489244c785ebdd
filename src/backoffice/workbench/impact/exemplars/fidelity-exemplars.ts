// Exemplars of gates: with what the table was asked of the plan, in both states of the rules.

import type { Trx } from '#core/platform/db.ts';
import { type RuleBundle, traceUntil } from '#rules/rulesets/index.ts';
import { fidelitySimulation } from '#support/fidelity/index.ts';
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import type { PlacedJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';

/** A plan that has ended since is left out. */
export async function fidelityExemplars(
  trx: Trx,
  { organizationId, input: { asOf } }: PlacedJob,
  { before, after }: RulePair,
  places: readonly Place[],
): Promise<[Place, Exemplar][]> {
  const own = places.filter(({ layer }) => layer === 'FIDELITY');
  if (own.length === 0) return [];
  const studentIds = [...new Set(own.map(({ exemplar }) => exemplar.studentId))];
  const plans = await fidelitySimulation.openPlansOf(trx, { organizationId, studentIds, asOf });
  const byId = new Map(plans.map((plan) => [plan.assignmentId, plan]));
  return own.flatMap((place): [Place, Exemplar][] => {
    const { studentId, subject } = place.exemplar;
    const plan = byId.get(subject);
    if (!plan) return [];
    const sides = { before: sideOf(plan, before.bundle), after: sideOf(plan, after.bundle) };
    return [[place, { studentId, stampId: `assignment:${subject}`, subject, ...sides }]];
  });
}

function sideOf(plan: fidelitySimulation.OpenPlan, bundle: RuleBundle): ExemplarSide {
  const { ruleId, gate, facts } = fidelitySimulation.explainedGate(plan, bundle);
  return { ruleId, outcome: gate, facts, trace: traceUntil(bundle.table('fidelity/gate'), facts) };
}
