// Background counts: reactions to events of assignments, and the daily job.

import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { requestJobs } from '#core/module/request-queue.ts';
import { assignmentClosed, deliveryRecorded, planChanged } from '../interventions/index.ts';
import { recountAll } from './requests/daily.ts';
import { recountRequests, requestRecounts } from './requests/queue.ts';
import { serveRecounts } from './requests/serve.ts';

export const fidelityJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'fidelity-follow-plans',
      locks: 'fidelityRequest',
      to: [deliveryRecorded, planChanged, assignmentClosed],
      toJobs: (trx, events, now) =>
        requestRecounts(
          trx,
          events.map(({ organizationId, payload: { studentId, assignmentId } }) => {
            return { organizationId, studentId, assignmentId };
          }),
          now,
        ),
    }),
  ],
  ...requestJobs(recountRequests, {
    concurrency: 2,
    priority: 'following',
    sweep: 'fidelity-recount-sweep',
    serve: serveRecounts,
  }),
  daily: [
    {
      // After the daily job of assignments, which starts and ends them in the hour before.
      name: 'fidelity-of-the-day',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => recountAll(services, organizationId, services.clock.now()),
    },
  ],
};
