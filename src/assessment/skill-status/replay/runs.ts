// Replays many stored runs: their input with their pinned rules must give equal bytes, and the measurements must still
// give that input. All rows are read first; no transaction is open during the computation, and nothing is written.

import type { Services } from '#core/module/services.ts';
import type { Db, ReadTransaction } from '#core/platform/db.ts';
import { canonicalHash, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { isSameJson } from '#core/platform/pure/same-json.ts';
import { type RuleBundle, storedRules } from '#rules/rulesets/index.ts';
import type { EvidenceServices } from '../../measurement/index.ts';
import type { Pipeline, StudentEvaluation } from '../engine/evaluate.ts';
import { evaluateRun } from '../evaluate-run.ts';
import { tablesOnFallback, withFallback } from '../reference-engine/fallback.ts';
import { inputHash as inputHashOf, inputText as textOfInput } from '../results/stored-input.ts';
import type { RunInput } from '../results/tables.ts';
import { byRules, readableRules } from '../rules/readable.ts';
import { isUnfit } from '../rules/unfit.ts';
import { inputDifferences, isSound, resultDifferences } from './differences.ts';
import { type ReplayedInput, readReplayedInputs } from './evidence.ts';
import { storedRows } from './rows.ts';
import { type NumberedRun, withInput } from './selection.ts';
import { writtenRows } from './written.ts';

export interface ReplayedRun {
  readonly runId: string;
  readonly verdict: 'same' | 'inputs_differ' | 'rules_differ';
  /** Names of the differences; empty when equal. At most `mostFields`. */
  readonly fields: readonly string[];
}

const mostFields = 60;

/** `evaluation` is null when the rules or the input could not be read. */
export interface ExecutedRun extends ReplayedRun {
  readonly evaluation: StudentEvaluation | null;
}

/**
 * Returns the replays in the order of the runs, which all belong to one organization. Throws ENGINE_UNAVAILABLE without
 * an item bank.
 */
export async function replayRuns(
  reading: ReadTransaction,
  services: Pick<Services, 'db'> & EvidenceServices,
  runs: readonly NumberedRun[],
): Promise<ExecutedRun[]> {
  const { written, ...read } = await reading(async (trx) => ({
    written: await writtenRows(trx, runs),
    again: await readReplayedInputs(trx, services, runs),
    onFallback: await tablesOnFallback(trx),
  }));
  const differencesOf = (run: NumberedRun, evaluation: StudentEvaluation) =>
    isSound(run, written, evaluation) ? [] : doubt;
  const replayed = await replayEach(services.db, runs, { ...read, differences: differencesOf });
  const doubtful = runs.filter(({ id }) => replayed.get(id)?.verdict === 'rules_differ');
  if (doubtful.length > 0) {
    const stored = await reading((trx) => storedRows(trx, doubtful));
    const differences: Read['differences'] = (run, evaluation) => resultDifferences(run, stored(run.id), evaluation);
    for (const [id, one] of await replayEach(services.db, doubtful, { ...read, differences })) replayed.set(id, one);
  }
  return runs.flatMap(({ id }) => replayed.get(id) ?? []);
}

interface Read {
  readonly again: ReplayedInput;
  readonly onFallback: ReadonlySet<string>;
  /** Returns the names of differences in the result. */
  readonly differences: (run: NumberedRun, evaluation: StudentEvaluation) => readonly string[];
}

/** Placeholder for names that only the columns can give. */
const doubt = ['result'];

async function replayEach(db: Db, runs: readonly NumberedRun[], read: Read): Promise<Map<string, ExecutedRun>> {
  const replayed = new Map<string, ExecutedRun>();
  for (const group of byRules(runs)) {
    for (const one of await replayGroup(db, group, read)) replayed.set(one.runId, one);
  }
  return replayed;
}

/** Documents are read from the database each time, since a cached compilation would hide a changed text. */
async function replayGroup(db: Db, group: readonly NumberedRun[], read: Read): Promise<ExecutedRun[]> {
  const rules: RuleBundle | undefined = await readableRules(db, storedRules, group[0]?.ruleVersions ?? {});
  if (!rules) {
    return group.map(({ id }) => {
      return { runId: id, verdict: 'rules_differ', fields: ['ruleVersions'], evaluation: null };
    });
  }
  return withFallback(rules, read.onFallback, async (pipeline) => group.map((run) => replayOf(run, read, pipeline)));
}

function replayOf(run: NumberedRun, read: Read, pipeline: Pipeline): ExecutedRun {
  const { input, inputs } = inputsOf(run, read.again(run, pipeline));
  const { results, evaluation } = input ? executed(run, input, read, pipeline) : nothing;
  const fields = [...results, ...inputs].slice(0, mostFields);
  if (results.length > 0) return { runId: run.id, verdict: 'rules_differ', fields, evaluation };
  return { runId: run.id, verdict: inputs.length > 0 ? 'inputs_differ' : 'same', fields, evaluation };
}

interface Inputs {
  /** The input for the rules; undefined when it is lost. */
  readonly input: RunInput | undefined;
  /** Names of the differences from the measurements. */
  readonly inputs: readonly string[];
}

/** Compares inputs by text and parses the stored text only when the texts differ. */
function inputsOf(run: NumberedRun, measured: RunInput | Error): Inputs {
  const { inputText: text, inputHash } = run;
  const isIntact = sha256Hex(text) === inputHash || canonicalHash(JSON.parse(text)) === inputHash;
  if (isIntact && !(measured instanceof Error) && textOfInput(measured) === text)
    return { input: measured, inputs: [] };
  const stored = withInput(run).input;
  return {
    input: isIntact ? stored : inputFrom(measured, run),
    inputs: inputFields(run, stored, isIntact, measured),
  };
}

/** Returns the gathered input when the stored copy was altered; undefined without it. */
const inputFrom = (again: RunInput | Error, { inputHash }: NumberedRun): RunInput | undefined =>
  !(again instanceof Error) && inputHashOf(again) === inputHash ? again : undefined;

function inputFields(run: NumberedRun, stored: RunInput, isIntact: boolean, again: RunInput | Error): string[] {
  const altered = isIntact ? [] : ['input'];
  if (again instanceof Error) return [...altered, 'input.responses'];
  if (isIntact ? isSameJson(stored, again) : inputHashOf(again) === run.inputHash) return altered;
  return [...altered, ...inputDifferences(stored, again)];
}

interface Executed {
  /** Names of the differences. */
  readonly results: readonly string[];
  readonly evaluation: StudentEvaluation | null;
}

const nothing: Executed = { results: [], evaluation: null };

function executed(run: NumberedRun, input: RunInput, { differences }: Read, pipeline: Pipeline): Executed {
  try {
    const evaluation = evaluateRun(input, run, pipeline);
    return { results: differences(run, evaluation), evaluation };
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return { results: ['result'], evaluation: null };
  }
}
