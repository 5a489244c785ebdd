// Evaluates stored runs again from their own input with their pinned rules, to get all of their decisions.

import type { Services } from '#core/module/services.ts';
import type { Db, ReadTransaction, Trx } from '#core/platform/db.ts';
import type { ActiveRules, Versions } from '#rules/rulesets/index.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { evaluateRun } from '../evaluate-run.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { byRules } from '../rules/readable.ts';
import { SkillRun } from './models.ts';
import { readRun, type StoredRun } from './stored-input.ts';
import type { RunRow } from './tables.ts';

export interface EvaluatedRun {
  readonly runId: string;
  readonly studentId: number;
  readonly grade: number;
  readonly contextReview: boolean;
  readonly ruleVersions: Versions;
  readonly evaluation: StudentEvaluation;
}

type ReadRun = Pick<RunRow, 'id' | 'studentId' | 'grade' | 'contextReview' | 'ruleVersions' | 'asOf' | 'input'>;

/** Returns the evaluations by run id. Throws ENGINE_UNAVAILABLE when pinned rules cannot be read. */
async function evaluateRuns(
  db: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  runs: readonly ReadRun[],
): Promise<ReadonlyMap<string, EvaluatedRun>> {
  const found = new Map<string, EvaluatedRun>();
  for (const sameRules of byRules(runs)) {
    const pipeline = pipelineOf(await rules.pinned(db, sameRules[0]?.ruleVersions ?? {}));
    for (const run of sameRules) {
      const { id: runId, studentId, grade, contextReview, ruleVersions } = run;
      const evaluation = evaluateRun(run.input, run, pipeline);
      found.set(runId, { runId, studentId, grade, contextReview, ruleVersions, evaluation });
    }
  }
  return found;
}

/** Loads stored runs and evaluates them. */
export async function evaluatedRuns(
  reading: ReadTransaction,
  { db, rules }: Pick<Services, 'rules'> & { readonly db: Db | Trx },
  organizationId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, EvaluatedRun>> {
  const rows: StoredRun[] =
    runIds.length === 0
      ? []
      : await reading((trx) => SkillRun.query(trx).where({ organizationId }).whereIn('id', runIds).execute());
  return evaluateRuns(db, rules, rows.map(readRun));
}
