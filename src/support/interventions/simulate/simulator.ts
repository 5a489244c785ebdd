// Simulates rules of profiles, bundles and groups: what each student with a run would be assigned, and in which group.

import type { simulation } from '#assessment/skill-status/index.ts';
import { Count, nullable, object } from '#core/http/schemas.ts';
import type { ExemplarSlot, ResultSimulator, Sides, SimulationTally } from '#rules/rulesets/index.ts';
import { generationDocuments } from '../engine/clustering/generation.ts';
import { compileInterventions, type InterventionRules } from '../rules/compiled.ts';
import { type SupportAnswer, type SupportParts, smallestGroup, supportAnswer, supportParts } from './support.ts';

const decisive: ReadonlySet<string> = new Set(generationDocuments);
const tableOf = { profile: 'profile/resolution', bundle: 'bundle/recommendation' } as const;

/** Groups of all classes, and open assignments. */
export const SupportSection = object({
  clusters: object({ formed: Count, dissolved: Count, changed: Count }),
  assignmentsNoLongerCovered: Count,
});

export const supportSimulator: ResultSimulator<simulation.EvaluatedResult> = {
  compares: 'results',
  rank: 30,
  layers: ['PROFILE', 'BUNDLE'],
  simulates: (document) => decisive.has(document),
  section: { name: 'support', schema: nullable(SupportSection) },
  prepare: ({ before, after }) => {
    const rules = { before: compileInterventions(before), after: compileInterventions(after) };
    return {
      scales: {},
      tables: [tableOf.profile, tableOf.bundle],
      read: async (trx, services, of) => {
        const parts = await supportParts(trx, services, rules.before, of);
        return {
          compareResult: (tally, result) => {
            const own = parts.get(result.studentId);
            return own !== undefined && compare(tally, rules, own, result);
          },
        };
      },
      explain: async ({ reading, services, organizationId, asOf, resultsOf }, slots) => {
        const results = new Map((await resultsOf(slots.map(({ ref }) => ref))).map((one) => [one.runId, one]));
        const studentIds = [...results.values()].map(({ studentId }) => studentId);
        const parts = await reading((trx) =>
          supportParts(trx, services, rules.before, { organizationId, studentIds, asOf }),
        );
        return (slot) => {
          const result = results.get(slot.ref);
          const own = parts.get(slot.studentId);
          return result && own && { stampId: `run:${slot.ref}`, ...explain(slot, answersOf(rules, own, result)) };
        };
      },
      sectionOf: ({ groups: { uncovered, ...clusters } }) => ({ clusters, assignmentsNoLongerCovered: uncovered }),
    };
  },
};

type Rules = Sides<InterventionRules>;

const answersOf = (rules: Rules, parts: SupportParts, result: simulation.EvaluatedResult): Sides<SupportAnswer> => ({
  before: supportAnswer('before', result, parts, rules.before),
  after: supportAnswer('after', result, parts, rules.after),
});

function compare(
  tally: SimulationTally,
  rules: Rules,
  parts: SupportParts,
  result: simulation.EvaluatedResult,
): boolean {
  const { studentId, runId: ref } = result;
  const answers = answersOf(rules, parts, result);
  const { before, after } = answers;
  for (const side of ['before', 'after'] as const) {
    tally.addHits(side, `${tableOf.profile} ${answers[side].profile.ruleId}`);
    tally.addHits(side, `${tableOf.bundle} ${answers[side].bundle.ruleId}`);
  }
  const pairOf = (from: string, to: string) => [{ subject: String(studentId), from, to }];
  const changes = [
    tally.addPairs('PROFILE', { studentId, ref }, pairOf(before.profile.outcome, after.profile.outcome)),
    tally.addPairs('BUNDLE', { studentId, ref }, pairOf(before.bundle.outcome, after.bundle.outcome)),
  ];
  tally.addMember({
    classId: parts.enrollmentContext.classId,
    smallest: smallestGroup(parts, rules.after),
    before: before.clusterKey,
    after: after.clusterKey,
    isUncovered: before.coveredBy !== null && after.coveredBy !== before.coveredBy,
  });
  return changes.some(Boolean);
}

function explain({ layer }: ExemplarSlot, { before, after }: Sides<SupportAnswer>) {
  const kind = layer === 'PROFILE' ? 'profile' : 'bundle';
  return { table: tableOf[kind], before: before[kind], after: after[kind] };
}
