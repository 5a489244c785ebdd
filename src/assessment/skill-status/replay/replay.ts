// Executes a stored run again: the same input with the rules it was pinned to must give the same bytes.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { evaluate } from '../evaluate-run.ts';
import { readRun, type StoredRun } from '../results/stored-input.ts';
import { pipelineOf } from '../rules/pipelines.ts';
import { resultDifferences } from './differences.ts';
import { storedRows } from './rows.ts';

export interface Replay {
  readonly runId: string;
  /** Everything that was decided, and every row that was written, came out the same. */
  readonly match: boolean;
  /** What differs: `result`, `run`, or a table's name. */
  readonly mismatches: readonly string[];
}

/** Throws NOT_FOUND for a run out of sight, ENGINE_UNAVAILABLE when its rules cannot be read. Writes nothing. */
export async function replayRun(trx: Trx, rules: ActiveRules, runId: string): Promise<Replay> {
  const row: StoredRun | undefined = await trx('sse_run').where({ id: runId }).first();
  if (!row) throw notFound();
  const run = readRun(row);
  const pipeline = pipelineOf(await rules.pinned(trx, run.ruleVersions));
  const stored = await storedRows(trx, [run]);
  const fields = resultDifferences(run, stored(runId), evaluate(run.input, run, pipeline));
  const mismatches = [...new Set(fields.map((field) => field.split('.', 1)[0] ?? field))];
  return { runId, match: mismatches.length === 0, mismatches };
}
