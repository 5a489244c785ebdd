// Simulates rules of states of sub-skills: the state that each would be in, had the rules been in force from the first run on.

import { simulation } from '#assessment/skill-status/index.ts';
import type { ResultSimulator, Sides, SimulatedResult, SimulationTally } from '#rules/rulesets/index.ts';
import type { SkillState } from '../engine/vocabulary.ts';
import { type StateParts, stateParts, statesFrom } from './states.ts';
import { type TierRules, tierRulesOf } from './tiers.ts';

const table = 'rti/skill-state';
/** Worst to best. */
const orderedStates: readonly SkillState[] = ['monitoring', 'on_track', 'maintenance'];

export const stateSimulator: ResultSimulator = {
  compares: 'results',
  rank: 50,
  layers: ['SKILL_STATE'],
  simulates: (document) => document === table,
  prepare: (bundles) => {
    const rules = { before: tierRulesOf(bundles.before), after: tierRulesOf(bundles.after) };
    return {
      scales: { SKILL_STATE: orderedStates },
      tables: [table],
      read: async (trx, _services, of) => {
        const parts = await stateParts(trx, of);
        return {
          compareResult: (tally, result) => {
            const own = parts.get(result.studentId);
            return own !== undefined && compare(tally, statesOf(rules, own), result);
          },
        };
      },
      explain: async ({ reading, organizationId, asOf }, slots) => {
        const studentIds = [...new Set(slots.map(({ studentId }) => studentId))];
        const parts = await reading((trx) => stateParts(trx, { organizationId, studentIds, asOf }));
        return ({ studentId, subject, ref }) => {
          const own = parts.get(studentId);
          const states = own && statesOf(rules, own);
          const [before, after] = [states?.before.get(subject), states?.after.get(subject)];
          if (!before || !after) return undefined;
          return { stampId: `run:${ref}`, table, before: sideOf(before), after: sideOf(after) };
        };
      },
    };
  },
};

type States = ReturnType<typeof statesFrom>;
type Answer = States extends ReadonlyMap<string, infer Value> ? Value : never;

const sideOf = ({ ruleId, state, facts }: Answer) => ({ ruleId, outcome: state, facts: { ...facts } });

/** By sub-skill; both sides have the same ones. */
const statesOf = (rules: Sides<TierRules>, parts: StateParts): Sides<States> => ({
  before: statesFrom(parts, rules.before),
  after: simulation.refusingUnfit(() => statesFrom(parts, rules.after)),
});

function compare(
  tally: SimulationTally,
  { before, after }: Sides<States>,
  { studentId, runId: ref }: SimulatedResult,
): boolean {
  for (const { ruleId } of before.values()) tally.addHits('before', `${table} ${ruleId}`);
  for (const { ruleId } of after.values()) tally.addHits('after', `${table} ${ruleId}`);
  const pairs = [...before].map(([subject, { state: from }]) => {
    return { subject, from, to: after.get(subject)?.state ?? from };
  });
  return tally.addPairs('SKILL_STATE', { studentId, ref }, pairs);
}
