// Every question that the evaluation of stored runs puts to a table, with the answer that the engine works with.
import type { Trx } from '../platform/db.ts';
import type { ActiveRules } from '../rulesets/active.ts';
import type { Decision, Observe, RuleBundle } from '../rulesets/index.ts';
import { compilePipeline } from './engine/evaluate.ts';
import { evaluate } from './evaluate-run.ts';
import { observed, type Question, questionKey } from './oracle-evaluation.ts';
import { byRules, readableRules } from './replay-rules.ts';
import type { RunRow } from './tables.ts';
import { isUnfit } from './unfit.ts';

export interface MadeDecision extends Question {
  readonly hits: readonly Decision[];
}

/** Each question once. Runs whose rules cannot be read ask none. */
export async function madeDecisions(trx: Trx, rules: ActiveRules, runs: readonly RunRow[]): Promise<MadeDecision[]> {
  const found = new Map<string, MadeDecision>();
  const note: Observe = (table, facts, hits) => {
    const key = questionKey(table, facts);
    if (!found.has(key)) found.set(key, { table, facts, hits });
    return hits;
  };
  for (const group of byRules(runs)) {
    const bundle = await readableRules(trx, rules, group[0]?.ruleVersions ?? {});
    if (bundle) askAll(observed(bundle, note), group);
  }
  return [...found.values()];
}

/** A wrong answer may end an evaluation before its time; by then it has been noted. */
function askAll(bundle: RuleBundle, runs: readonly RunRow[]): void {
  const pipeline = compilePipeline(bundle);
  for (const run of runs) {
    try {
      evaluate(run.input, run, pipeline);
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
}
