// Stored runs with everything that they decided: worked out again from their own input, by the rules that they were pinned to.
import type { Trx } from '../../platform/db.ts';
import type { ActiveRules } from '../../rulesets/index.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { evaluate } from '../evaluate-run.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { byRules } from '../rules/readable.ts';
import { readRun, type StoredRun } from './stored-input.ts';

export interface EvaluatedRun {
  readonly runId: string;
  readonly studentId: number;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly evaluation: StudentEvaluation;
}

/** By run id. Throws ENGINE_UNAVAILABLE when rules that a run names cannot be read. */
export async function evaluatedRuns(
  trx: Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  organizationId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, EvaluatedRun>> {
  const rows: StoredRun[] =
    runIds.length === 0 ? [] : await trx('sse_run').where({ organizationId }).whereIn('id', runIds);
  const found = new Map<string, EvaluatedRun>();
  for (const sameRules of byRules(rows)) {
    const pipeline = pipelineOf(await rules.pinned(trx, sameRules[0]?.ruleVersions ?? {}));
    for (const row of sameRules) {
      const { id: runId, studentId, grade, contextReview } = row;
      const run = readRun(row);
      found.set(runId, { runId, studentId, grade, contextReview, evaluation: evaluate(run.input, run, pipeline) });
    }
  }
  return found;
}
