// Simulates rules of what was delivered of assignments: the gate of each open one.

import type { ResultSimulator } from '#rules/rulesets/index.ts';
import { compileCounting } from '../engine/count.ts';
import { explainedGate, gateOf, gateTable, openPlansOf } from './gates.ts';

const decisive: ReadonlySet<string> = new Set([gateTable, 'fidelity/settings']);

export const fidelitySimulator: ResultSimulator = {
  compares: 'results',
  rank: 40,
  layers: ['FIDELITY'],
  simulates: (document) => decisive.has(document),
  prepare: (bundles) => {
    const rules = { before: compileCounting(bundles.before), after: compileCounting(bundles.after) };
    return {
      scales: { FIDELITY: bundles.after.table(gateTable).document.outcomes.order },
      tables: [gateTable],
      read: async (trx, _services, of) => {
        const plans = await openPlansOf(trx, of);
        return {
          compareStored: (tally) =>
            plans.flatMap((plan) => {
              const { studentId, assignmentId: ref } = plan;
              const [before, after] = [gateOf(plan, rules.before), gateOf(plan, rules.after)];
              tally.addHits('before', `${gateTable} ${before.ruleId}`);
              tally.addHits('after', `${gateTable} ${after.ruleId}`);
              const pair = { subject: ref, from: before.gate, to: after.gate };
              return tally.addPairs('FIDELITY', { studentId, ref }, [pair]) ? [studentId] : [];
            }),
        };
      },
      explain: async ({ reading, organizationId, asOf }, slots) => {
        const studentIds = [...new Set(slots.map(({ studentId }) => studentId))];
        const plans = await reading((trx) => openPlansOf(trx, { organizationId, studentIds, asOf }));
        const byId = new Map(plans.map((plan) => [plan.assignmentId, plan]));
        return ({ subject }) => {
          const plan = byId.get(subject);
          if (!plan) return undefined;
          const [before, after] = [explainedGate(plan, bundles.before), explainedGate(plan, bundles.after)];
          return { stampId: `assignment:${subject}`, table: gateTable, before, after };
        };
      },
    };
  },
};
