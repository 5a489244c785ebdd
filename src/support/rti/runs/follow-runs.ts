// Every run asks for an evaluation in its own transaction. Rules of alerts that come into force recompute nobody: they are asked
// at the next trigger, at the latest by the job of the day.
import type { RunProjection } from '#assessment/skill-status/index.ts';
import { requestEvaluations } from '../evaluation/queue.ts';
import { evaluationsAgain } from '../explain/of-runs.ts';

export const evaluationsOfRuns: RunProjection = {
  documents: [],
  project: (trx, _services, { organizationId, now, runs }) =>
    requestEvaluations(
      trx,
      runs.map(({ studentId }) => ({ organizationId, studentId })),
      now,
    ),
  replay: evaluationsAgain,
};
