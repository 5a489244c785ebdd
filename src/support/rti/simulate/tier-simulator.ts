// Simulates rules of alerts and tiers: the candidate of an alert and the recommended tier of each student with a run.

import { simulation } from '#assessment/skill-status/index.ts';
import type { ResultSimulator, Sides, SimulatedResult, SimulationTally } from '#rules/rulesets/index.ts';
import { type TierAnswer, type TierParts, type TierRules, tierAnswer, tierParts, tierRulesOf } from './tiers.ts';

/** Reasons and review types are included: the report of a draft of them shows that no outcome changes. */
const families: ReadonlySet<string> = new Set(['rti', 'fidelity']);
const tableOf = { alert: 'rti/alerts', tier: 'rti/tier-recommendation' } as const;

export const tierSimulator: ResultSimulator = {
  compares: 'results',
  rank: 60,
  layers: ['ALERT', 'TIER'],
  simulates: (document) => families.has(document.split('/')[0] ?? ''),
  prepare: (bundles) => {
    const rules = { before: tierRulesOf(bundles.before), after: tierRulesOf(bundles.after) };
    return {
      scales: { ALERT: bundles.after.table(tableOf.alert).document.outcomes.order },
      tables: [tableOf.alert, tableOf.tier],
      read: async (trx, services, of) => {
        const parts = await tierParts(trx, services, rules.before, of);
        return {
          compareResult: (tally, result) => {
            const answers = answersOf(rules, parts.get(result.studentId));
            return answers !== undefined && compare(tally, answers, result);
          },
        };
      },
      explain: async ({ reading, services, organizationId, asOf }, slots) => {
        const studentIds = [...new Set(slots.map(({ studentId }) => studentId))];
        const parts = await reading((trx) =>
          tierParts(trx, services, rules.before, { organizationId, studentIds, asOf }),
        );
        return ({ studentId, layer, ref }) => {
          const kind = layer === 'ALERT' ? 'alert' : 'tier';
          const answers = answersOf(rules, parts.get(studentId));
          if (!answers) return undefined;
          return {
            stampId: `run:${ref}`,
            table: tableOf[kind],
            before: answers.before[kind],
            after: answers.after[kind],
          };
        };
      },
    };
  },
};

/** Undefined for a student of no class. */
function answersOf(rules: Sides<TierRules>, parts: TierParts | undefined): Sides<TierAnswer> | undefined {
  const before = parts && tierAnswer(parts, rules.before);
  const after = parts && simulation.refusingUnfit(() => tierAnswer(parts, rules.after));
  return before && after ? { before, after } : undefined;
}

function compare(
  tally: SimulationTally,
  answers: Sides<TierAnswer>,
  { studentId, runId: ref }: SimulatedResult,
): boolean {
  const { before, after } = answers;
  for (const side of ['before', 'after'] as const) {
    tally.addHits(side, `${tableOf.alert} ${answers[side].alert.ruleId}`);
    tally.addHits(side, `${tableOf.tier} ${answers[side].tier.ruleId}`);
  }
  const pairOf = (from: string, to: string) => [{ subject: String(studentId), from, to }];
  const changes = [
    tally.addPairs('ALERT', { studentId, ref }, pairOf(before.alert.outcome, after.alert.outcome)),
    tally.addPairs('TIER', { studentId, ref }, pairOf(before.tier.outcome, after.tier.outcome)),
  ];
  return changes.some(Boolean);
}
