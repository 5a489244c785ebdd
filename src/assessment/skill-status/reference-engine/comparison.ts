// Compares the answers of the reference engine and of the compiled tables for the questions of stored runs.
import type { Db, Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { evaluateRun } from '../evaluate-run.ts';
import type { RunRow } from '../results/tables.ts';
import { byRules, readableRules } from '../rules/readable.ts';
import { isUnfit } from '../rules/unfit.ts';
import { type ComparedAnswer, compared } from './evaluation.ts';

/** Returns each question once. Runs with unreadable rules are skipped; their replay reports that. */
export async function comparedAnswers(
  db: Db | Trx,
  rules: ActiveRules,
  runs: readonly RunRow[],
): Promise<ComparedAnswer[]> {
  const answers: ComparedAnswer[] = [];
  for (const group of byRules(runs)) {
    const bundle = await readableRules(db, rules, group[0]?.ruleVersions ?? {});
    if (bundle) answers.push(...(await compared(bundle, (pipeline) => evaluateAll(group, pipeline))));
  }
  return answers;
}

/** Evaluates the runs. When a provisional answer ends an evaluation early, its questions up to there are kept. */
function evaluateAll(runs: readonly RunRow[], pipeline: Pipeline): void {
  for (const run of runs) {
    try {
      evaluateRun(run.input, run, pipeline);
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
}
