// Every run requests an evaluation in its own transaction. New rules of alerts cause no recompute: they apply at the next
// trigger, at the latest with the daily job.
import type { RunProjection } from '#assessment/skill-status/index.ts';
import { requestEvaluations } from '../evaluation/queue.ts';
import { replayEvaluations } from '../explain/replay-runs.ts';

export const evaluationsOfRuns: RunProjection = {
  documents: [],
  project: (trx, _services, { organizationId, now, runs }) =>
    requestEvaluations(
      trx,
      runs.map(({ studentId }) => ({ organizationId, studentId })),
      now,
    ),
  replay: replayEvaluations,
};
