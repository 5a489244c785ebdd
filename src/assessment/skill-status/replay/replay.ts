// Replays a stored run: its input with its pinned rules must give equal bytes.

import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { evaluateRun } from '../evaluate-run.ts';
import { SkillRun } from '../results/models.ts';
import { readRun, type StoredRun } from '../results/stored-input.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { resultDifferences } from './differences.ts';
import { storedRows } from './rows.ts';

export interface Replay {
  readonly runId: string;
  /** Whether all decisions and all written rows are equal. */
  readonly match: boolean;
  /** What differs: `result`, `run`, or a table's name. */
  readonly mismatches: readonly string[];
}

/**
 * Replays a run without writing. Throws NOT_FOUND for a run that is not visible, ENGINE_UNAVAILABLE when its rules
 * cannot be read.
 */
export async function replayRun(trx: Trx, rules: ActiveRules, runId: string): Promise<Replay> {
  const row: StoredRun | undefined = await SkillRun.query(trx).where({ id: runId }).first();
  if (!row) throw notFound();
  const run = readRun(row);
  const pipeline = pipelineOf(await rules.pinned(trx, run.ruleVersions));
  const stored = await storedRows(trx, [run]);
  const fields = resultDifferences(run, stored(runId), evaluateRun(run.input, run, pipeline));
  const mismatches = [...new Set(fields.map((field) => field.split('.', 1)[0] ?? field))];
  return { runId, match: mismatches.length === 0, mismatches };
}
