// Stored runs evaluated by the reference engine, beside what the compiled tables say to the same questions.
import type { Db, Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { evaluate } from '../evaluate-run.ts';
import type { RunRow } from '../results/tables.ts';
import { byRules, readableRules } from '../rules/readable.ts';
import { isUnfit } from '../rules/unfit.ts';
import { type ComparedAnswer, compared } from './evaluation.ts';

/** Each question once. Runs whose rules cannot be read ask none: their replay tells of that. */
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

/** An evaluation that a provisional answer ends before its time has asked its questions up to there. */
function evaluateAll(runs: readonly RunRow[], pipeline: Pipeline): void {
  for (const run of runs) {
    try {
      evaluate(run.input, run, pipeline);
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
}
