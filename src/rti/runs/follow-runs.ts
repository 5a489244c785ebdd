// Every run asks for an evaluation in its own transaction, and so does a version of the rules of alerts that comes into force:
// all students follow anew then.
import type { RunFollower } from '../../skill-status/index.ts';
import { requestEvaluations } from '../evaluation/requests.ts';
import { evaluationsAgain } from '../explain/of-runs.ts';

const follow: RunFollower['follow'] = async (trx, _services, { organizationId, now, runs }) => {
  const asked = runs.map(({ studentId }) => ({ organizationId, studentId }));
  await requestEvaluations(trx, asked, now);
};

export const evaluationsOfRuns: RunFollower = {
  documents: ['rti/skill-state', 'rti/alerts', 'rti/decision-packet', 'fidelity/gate', 'fidelity/settings'],
  follow,
  again: evaluationsAgain,
};
