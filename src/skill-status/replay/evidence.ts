// The evidence of stored runs gathered again from the measurements, each for its own window and with its own rules.

import type { ItemBanks } from '../../measurement/index.ts';
import { loadEvidence } from '../../measurement/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { type SelectedEvidence, selectEvidence } from '../evaluate-run.ts';
import type { RunRow } from '../results/tables.ts';
import { isUnfit } from '../rules/unfit.ts';

/** By run; the refusal where the measurements do not hang together any more. */
export type EvidenceAgain = Map<string, SelectedEvidence | Error>;

/** All runs belong to one organization and are pinned to the pipeline's rules. */
export async function gatherAgain(
  trx: Trx,
  itemBanks: ItemBanks,
  runs: readonly RunRow[],
  pipeline: Pipeline,
): Promise<EvidenceAgain> {
  const found: EvidenceAgain = new Map();
  for (const round of roundsOf(runs)) await gatherRound(trx, itemBanks, round, pipeline, found);
  return found;
}

/** A student has one window at a time: runs of one student stand in different rounds. */
function roundsOf(runs: readonly RunRow[]): RunRow[][] {
  const rounds: RunRow[][] = [];
  const seen = new Map<number, number>();
  for (const run of runs) {
    const at = seen.get(run.studentId) ?? 0;
    seen.set(run.studentId, at + 1);
    const round = rounds[at];
    if (round) round.push(run);
    else rounds.push([run]);
  }
  return rounds;
}

/** One student whose measurements are refused does not hide the others: the round is halved until he stands alone. */
async function gatherRound(
  trx: Trx,
  itemBanks: ItemBanks,
  runs: readonly RunRow[],
  pipeline: Pipeline,
  found: EvidenceAgain,
): Promise<void> {
  try {
    const organizationId = runs[0]?.organizationId ?? '';
    const students = runs.map(({ studentId, windowFrom, windowTo }) => ({ studentId, from: windowFrom, to: windowTo }));
    const sessions = await loadEvidence(trx, { organizationId, students, rules: pipeline, itemBanks });
    for (const { id, studentId, schoolYear, windowFrom, windowTo } of runs) {
      const window = { schoolYear: { name: schoolYear, from: windowFrom }, asOf: windowTo };
      found.set(id, selectEvidence(sessions.get(studentId) ?? [], window, pipeline));
    }
  } catch (error) {
    if (!isUnfit(error)) throw error;
    if (runs.length === 1) for (const { id } of runs) found.set(id, error);
    const half = Math.ceil(runs.length / 2);
    for (const part of runs.length === 1 ? [] : [runs.slice(0, half), runs.slice(half)]) {
      await gatherRound(trx, itemBanks, part, pipeline, found);
    }
  }
}
