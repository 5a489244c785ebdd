// The port of impact simulations: evaluates students with a compiled rule bundle, without writing.

import type { DocumentName, Observe, RuleBundle, Table } from '#rules/rulesets/index.ts';
import { compileEscalation } from '../../error-patterns/index.ts';
import { compilePipeline, type Pipeline } from '../engine/evaluate.ts';
import { ruleFamilies } from '../rules/pipelines.ts';

export {
  type LayerAnswer,
  type LayerAnswers,
  type LayerName,
  layerAnswers,
  layerNames,
  subjectsOf,
} from '../engine/layer-answers.ts';
export { evaluateRun } from '../evaluate-run.ts';
export { schoolYears } from '../recompute/run-students.ts';
export { newestSkillMarks } from '../results/previous.ts';
export { isContextFlagDictionary } from '../rules/pipelines.ts';
export { isUnfit, refusingUnfit } from '../rules/unfit.ts';
export { appendedRows, hasNewSubSkill } from './appends.ts';
export {
  cutEvidence,
  type EvaluatedResult,
  isSameInput,
  newestRuns,
  readContextReviews,
  readEvidence,
  runsById,
  type SimulatedRun,
} from './runs.ts';
export { isSameResult } from './same-result.ts';
export { type StampQuestion, storedStamps } from './stamps.ts';
export { type AnswerTrace, type TracedLayers, traceLayers, unasked } from './traces.ts';

/** The rules of a simulation. */
export interface SimulatedRules {
  readonly bundle: RuleBundle;
  readonly pipeline: Pipeline;
  /** Returns and resets the number of hits of each rule of the tables without named answers (BND, ESC). */
  takeHits(): ReadonlyMap<string, number>;
}

/** Returns the name of a rule over all tables: `bnd/bnd BND-01`. */
export const ruleName = (document: string, ruleId: string): string => `${document} ${ruleId}`;

const countedHere: ReadonlySet<string> = new Set(['bnd/bnd', 'esc/esc']);

/**
 * Throws BundleError when a document is missing, RangeError when one contains unknown values or has another hit policy
 * than the engine expects.
 */
export function simulatedRulesOf(bundle: RuleBundle): SimulatedRules {
  assertHitPolicies(bundle);
  let hits = new Map<string, number>();
  const counted = (table: Table): Table => {
    const observe: Observe = (asked, facts, found) => {
      const used = table.observe?.(asked, facts, found) ?? found;
      for (const { ruleId } of used) {
        const name = ruleName(table.name, ruleId);
        hits.set(name, (hits.get(name) ?? 0) + 1);
      }
      return used;
    };
    return { ...table, observe };
  };
  const counting: RuleBundle = {
    ...bundle,
    // Unobserved tables use the fast path.
    table: (name) => (countedHere.has(name) ? counted(bundle.table(name)) : bundle.table(name)),
  };
  const pipeline = compilePipeline(counting);
  const takeHits = () => {
    const taken = hits;
    hits = new Map();
    return taken;
  };
  // Only compiled: a table of error patterns that cannot be read makes the rules unusable.
  compileEscalation(bundle, pipeline.catalogue);
  return { bundle, pipeline, takeHits };
}

const collecting: ReadonlySet<string> = new Set(['esc', 'rbm', 'subflag']);

function assertHitPolicies(bundle: RuleBundle): void {
  const tables = ruleFamilies.filter((family) => family !== 'dth');
  const wrong = tables.find((family) => bundle.table(`${family}/${family}`).isFirstHit === collecting.has(family));
  if (wrong) throw new RangeError(`the hit policy of ${wrong}/${wrong} is not the one that the engine asks with`);
}

/** Returns whether both rules derive equal facts from equal sessions; windows may differ. */
export function factsAlike(before: SimulatedRules, after: SimulatedRules): boolean {
  return (
    sameVersion(before, after, 'catalogue/subskills') &&
    sameVersion(before, after, 'rbm/rbm') &&
    sameNumbers(before, after, factThresholds)
  );
}

/** Returns whether both rules derive equal evidence and cut it alike, so that one input serves both. */
export const gatherAlike = (before: SimulatedRules, after: SimulatedRules): boolean =>
  factsAlike(before, after) &&
  sameVersion(before, after, 'adr/adr') &&
  sameNumbers(before, after, ({ thresholds }) => [thresholds.windowSessions]);

const sameVersion = (one: SimulatedRules, other: SimulatedRules, name: DocumentName): boolean =>
  one.bundle.versions[name] === other.bundle.versions[name];

function sameNumbers(
  one: SimulatedRules,
  other: SimulatedRules,
  of: (pipeline: Pipeline) => readonly number[],
): boolean {
  const later = of(other.pipeline);
  return of(one.pipeline).every((value, at) => value === later[at]);
}

const factThresholds = ({ thresholds }: Pipeline): readonly number[] => {
  const { slowFactor, orfUnits, orfWrongUnits } = thresholds;
  const { meets, approaching, below, severe } = orfWrongUnits;
  return [slowFactor, orfUnits, meets, approaching, below, severe];
};
