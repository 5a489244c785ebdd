// Executes many stored runs again: their input with the rules they were pinned to must give the same bytes, and the
// measurements must still give that input. A handful of queries for all of them; nothing is written.

import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { canonicalHash } from '../../platform/pure/canonical-json.ts';
import { activeRules } from '../../rulesets/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { evaluate } from '../evaluate-run.ts';
import { withPins } from '../reference-engine/pins.ts';
import type { RunInput, RunRow } from '../results/tables.ts';
import { isUnfit } from '../rules/unfit.ts';
import { inputDifferences, resultDifferences } from './differences.ts';
import { type EvidenceAgain, gatherAgain } from './evidence.ts';
import { type RunRows, storedRows } from './rows.ts';
import { byRules, readableRules } from './rules.ts';

export interface ReplayedRun {
  readonly runId: string;
  readonly verdict: 'same' | 'inputs_differ' | 'rules_differ';
  /** What differs, by name; empty when nothing does. At most `mostFields`. */
  readonly fields: readonly string[];
}

const mostFields = 60;

/** In the order of the runs, which all belong to one organization. Throws ENGINE_UNAVAILABLE without an item bank. */
export async function replayRuns(
  trx: Trx,
  services: Pick<Services, 'itemBanks'>,
  runs: readonly RunRow[],
): Promise<ReplayedRun[]> {
  const stored = await storedRows(trx, runs);
  const replayed = new Map<string, ReplayedRun>();
  for (const group of byRules(runs)) {
    const work = async (pipeline: Pipeline) => {
      const again = await gatherAgain(trx, services.itemBanks, group, pipeline);
      return group.map((run) => replayOf(run, stored(run.id), again, pipeline));
    };
    for (const one of await withStoredRules(trx, group, work)) replayed.set(one.runId, one);
  }
  return runs.flatMap(({ id }) => replayed.get(id) ?? []);
}

/** The texts are read anew each time: what this process compiled earlier would hide that one was altered since. */
async function withStoredRules(
  trx: Trx,
  group: readonly RunRow[],
  work: (pipeline: Pipeline) => Promise<ReplayedRun[]>,
): Promise<ReplayedRun[]> {
  const rules = await readableRules(trx, activeRules(), group[0]?.ruleVersions ?? {});
  if (!rules) return group.map(({ id }) => ({ runId: id, verdict: 'rules_differ', fields: ['ruleVersions'] }));
  return withPins(trx, rules, work);
}

function replayOf(run: RunRow, stored: RunRows, again: EvidenceAgain, pipeline: Pipeline): ReplayedRun {
  const isIntact = canonicalHash(run.input) === run.inputHash;
  const evidence = again.get(run.id);
  const inputs = inputFields(run, isIntact, evidence);
  const input = isIntact ? run.input : inputFrom(evidence, run);
  const results = input ? resultFields(run, input, stored, pipeline) : [];
  const fields = [...results, ...inputs].slice(0, mostFields);
  if (results.length > 0) return { runId: run.id, verdict: 'rules_differ', fields };
  return { runId: run.id, verdict: inputs.length > 0 ? 'inputs_differ' : 'same', fields };
}

type Again = EvidenceAgain extends Map<string, infer Evidence> ? Evidence | undefined : never;

/** The input of a run whose own copy was altered. Without it nothing is asked of the rules. */
const inputFrom = (again: Again, { inputHash }: RunRow): RunInput | undefined =>
  again && !(again instanceof Error) && again.inputHash === inputHash ? again.input : undefined;

function inputFields(run: RunRow, isIntact: boolean, again: Again): string[] {
  const altered = isIntact ? [] : ['input'];
  if (!again || again instanceof Error) return [...altered, 'input.responses'];
  if (again.inputHash === run.inputHash) return altered;
  return [...altered, ...inputDifferences(run.input, again.input)];
}

function resultFields(run: RunRow, input: RunInput, stored: RunRows, pipeline: Pipeline): string[] {
  try {
    return resultDifferences(run, stored, evaluate(input, run, pipeline));
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return ['result'];
  }
}
