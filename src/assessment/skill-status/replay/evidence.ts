// Gathers the evidence of stored runs again from the responses themselves, each for its own window and rules.

import type { Trx } from '#core/platform/db.ts';
import { type EvidenceServices, loadEvidence, type SessionsOf, type StudentWindow } from '../../measurement/index.ts';
import type { Pipeline } from '../engine/evaluate.ts';
import { selectInput } from '../evaluate-run.ts';
import type { RunHead, RunInput } from '../results/tables.ts';
import { isUnfit } from '../rules/unfit.ts';

/** Returns the input, or the error when the measurements are inconsistent. Makes no database queries. */
export type ReplayedInput = (run: RunHead, pipeline: Pipeline) => RunInput | Error;

/** Reads the measurements of these runs, which all belong to one organization. */
export async function readReplayedInputs(
  trx: Trx,
  services: EvidenceServices,
  runs: readonly RunHead[],
): Promise<ReplayedInput> {
  const organizationId = runs[0]?.organizationId ?? '';
  const students = runs.map(windowOf);
  const sessionsOf = await loadEvidence(trx, services, { organizationId, students, fromResponses: true });
  return (run, pipeline) => replayInput(run, sessionsOf, pipeline);
}

const windowOf = ({ studentId, windowFrom, windowTo }: RunHead): StudentWindow => ({
  studentId,
  from: windowFrom,
  to: windowTo,
});

function replayInput(run: RunHead, sessionsOf: SessionsOf, pipeline: Pipeline): RunInput | Error {
  const { schoolYear, windowFrom, windowTo } = run;
  const window = { schoolYear: { name: schoolYear, from: windowFrom }, asOf: windowTo };
  try {
    return selectInput(sessionsOf(windowOf(run), pipeline), window, pipeline);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return error;
  }
}
