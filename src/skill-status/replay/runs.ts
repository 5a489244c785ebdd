// Executes many stored runs again: their input with the rules they were pinned to must give the same bytes, and the
// measurements must still give that input. All that is stored is read first; no transaction is open while it is worked
// out. Nothing is written.

import type { Services } from '../../kernel/services.ts';
import type { Db, Reading } from '../../platform/db.ts';
import { canonicalHash, sha256Hex } from '../../platform/pure/canonical-json.ts';
import { isSameJson } from '../../platform/pure/same-json.ts';
import { type RuleBundle, storedRules } from '../../rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { evaluate } from '../evaluate-run.ts';
import { tablesOnFallback, withFallback } from '../reference-engine/fallback.ts';
import { inputHash as inputHashOf } from '../results/stored-input.ts';
import type { RunInput } from '../results/tables.ts';
import { byRules, readableRules } from '../rules/readable.ts';
import { isUnfit } from '../rules/unfit.ts';
import { inputDifferences, resultDifferences } from './differences.ts';
import { type InputAgain, readAgain } from './evidence.ts';
import { type RunRows, storedRows } from './rows.ts';
import type { NumberedRun } from './selection.ts';

export interface ReplayedRun {
  readonly runId: string;
  readonly verdict: 'same' | 'inputs_differ' | 'rules_differ';
  /** What differs, by name; empty when nothing does. At most `mostFields`. */
  readonly fields: readonly string[];
}

const mostFields = 60;

/** In the order of the runs, which all belong to one organization. Throws ENGINE_UNAVAILABLE without an item bank. */
export async function replayRuns(
  reading: Reading,
  { db, itemBanks }: Pick<Services, 'db' | 'itemBanks'>,
  runs: readonly NumberedRun[],
): Promise<ReplayedRun[]> {
  const read = await reading(async (trx) => ({
    stored: await storedRows(trx, runs),
    again: await readAgain(trx, itemBanks, runs),
    onFallback: await tablesOnFallback(trx),
  }));
  const replayed = new Map<string, ReplayedRun>();
  for (const group of byRules(runs)) {
    for (const one of await replayGroup(db, group, read)) replayed.set(one.runId, one);
  }
  return runs.flatMap(({ id }) => replayed.get(id) ?? []);
}

interface Read {
  readonly stored: (runId: string) => RunRows;
  readonly again: InputAgain;
  readonly onFallback: ReadonlySet<string>;
}

/** The texts are read anew each time: what was compiled before would hide that one was altered since. */
async function replayGroup(db: Db, group: readonly NumberedRun[], read: Read): Promise<ReplayedRun[]> {
  const rules: RuleBundle | undefined = await readableRules(db, storedRules, group[0]?.ruleVersions ?? {});
  if (!rules) return group.map(({ id }) => ({ runId: id, verdict: 'rules_differ', fields: ['ruleVersions'] }));
  return withFallback(rules, read.onFallback, async (pipeline) => group.map((run) => replayOf(run, read, pipeline)));
}

function replayOf(run: NumberedRun, { stored, again }: Read, pipeline: Pipeline): ReplayedRun {
  const isIntact =
    sha256Hex(run.inputText) === run.inputHash || canonicalHash(JSON.parse(run.inputText)) === run.inputHash;
  const measured = again(run, pipeline);
  const inputs = inputFields(run, isIntact, measured);
  const input = isIntact ? run.input : inputFrom(measured, run);
  const results = input ? resultFields(run, input, stored(run.id), pipeline) : [];
  const fields = [...results, ...inputs].slice(0, mostFields);
  if (results.length > 0) return { runId: run.id, verdict: 'rules_differ', fields };
  return { runId: run.id, verdict: inputs.length > 0 ? 'inputs_differ' : 'same', fields };
}

/** The input of a run whose own copy was altered. Without it nothing is asked of the rules. */
const inputFrom = (again: RunInput | Error, { inputHash }: NumberedRun): RunInput | undefined =>
  !(again instanceof Error) && inputHashOf(again) === inputHash ? again : undefined;

function inputFields(run: NumberedRun, isIntact: boolean, again: RunInput | Error): string[] {
  const altered = isIntact ? [] : ['input'];
  if (again instanceof Error) return [...altered, 'input.responses'];
  if (isIntact ? isSameJson(run.input, again) : inputHashOf(again) === run.inputHash) return altered;
  return [...altered, ...inputDifferences(run.input, again)];
}

function resultFields(run: NumberedRun, input: RunInput, stored: RunRows, pipeline: Pipeline): string[] {
  try {
    return resultDifferences(run, stored, evaluate(input, run, pipeline));
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return ['result'];
  }
}
