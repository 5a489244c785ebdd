// Every run asks for an evaluation in its own transaction. Rules of alerts that come into force recompute nobody: they are asked
// at the next trigger, at the latest by the job of the day.
import type { RunFollower } from '#assessment/skill-status/index.ts';
import { requestEvaluations } from '../evaluation/queue.ts';
import { evaluationsAgain } from '../explain/of-runs.ts';

const follow: RunFollower['follow'] = async (trx, _services, { organizationId, now, runs }) => {
  const asked = runs.map(({ studentId }) => ({ organizationId, studentId }));
  await requestEvaluations(trx, asked, now);
};

export const evaluationsOfRuns: RunFollower = {
  documents: [],
  follow,
  again: evaluationsAgain,
};
