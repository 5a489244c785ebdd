// The evidence of stored runs gathered again from the responses themselves, each for its own window and with its own rules.

import { type EvidenceServices, loadEvidence, type SessionsOf } from '../../measurement/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { selectInput } from '../evaluate-run.ts';
import type { RunHead, RunInput } from '../results/tables.ts';
import { isUnfit } from '../rules/unfit.ts';

/** The refusal where the measurements do not hang together any more. Asks the database nothing. */
export type InputAgain = (run: RunHead, pipeline: Pipeline) => RunInput | Error;

/** Reads what was measured for these runs, which all belong to one organization. */
export async function readAgain(trx: Trx, services: EvidenceServices, runs: readonly RunHead[]): Promise<InputAgain> {
  const found = new Map<string, SessionsOf>();
  for (const round of roundsOf(runs)) {
    const organizationId = round[0]?.organizationId ?? '';
    const students = round.map(({ studentId, windowFrom, windowTo }) => ({
      studentId,
      from: windowFrom,
      to: windowTo,
    }));
    const sessionsOf = await loadEvidence(trx, services, { organizationId, students, fromResponses: true });
    for (const { id } of round) found.set(id, sessionsOf);
  }
  return (run, pipeline) => inputAgain(run, found.get(run.id), pipeline);
}

/** A student has one window at a time: runs of one student stand in different rounds. */
function roundsOf(runs: readonly RunHead[]): RunHead[][] {
  const rounds: RunHead[][] = [];
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

function inputAgain(
  { studentId, schoolYear, windowFrom, windowTo }: RunHead,
  sessionsOf: SessionsOf | undefined,
  pipeline: Pipeline,
): RunInput | Error {
  const window = { schoolYear: { name: schoolYear, from: windowFrom }, asOf: windowTo };
  try {
    return selectInput(sessionsOf?.(studentId, pipeline) ?? [], window, pipeline);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return error;
  }
}
