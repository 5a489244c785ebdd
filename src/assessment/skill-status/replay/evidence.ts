// The evidence of stored runs gathered again from the responses themselves, each for its own window and with its own rules.

import type { Trx } from '#core/platform/db.ts';
import { type EvidenceServices, loadEvidence, type SessionsOf, type StudentWindow } from '../../measurement/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { selectInput } from '../evaluate-run.ts';
import type { RunHead, RunInput } from '../results/tables.ts';
import { isUnfit } from '../rules/unfit.ts';

/** The refusal where the measurements do not hang together any more. Asks the database nothing. */
export type InputAgain = (run: RunHead, pipeline: Pipeline) => RunInput | Error;

/** Reads what was measured for these runs, which all belong to one organization. */
export async function readAgain(trx: Trx, services: EvidenceServices, runs: readonly RunHead[]): Promise<InputAgain> {
  const organizationId = runs[0]?.organizationId ?? '';
  const students = runs.map(windowOf);
  const sessionsOf = await loadEvidence(trx, services, { organizationId, students, fromResponses: true });
  return (run, pipeline) => inputAgain(run, sessionsOf, pipeline);
}

const windowOf = ({ studentId, windowFrom, windowTo }: RunHead): StudentWindow => ({
  studentId,
  from: windowFrom,
  to: windowTo,
});

function inputAgain(run: RunHead, sessionsOf: SessionsOf, pipeline: Pipeline): RunInput | Error {
  const { schoolYear, windowFrom, windowTo } = run;
  const window = { schoolYear: { name: schoolYear, from: windowFrom }, asOf: windowTo };
  try {
    return selectInput(sessionsOf(windowOf(run), pipeline), window, pipeline);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return error;
  }
}
