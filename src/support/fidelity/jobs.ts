// Counts follow what happens to plans, and once a day the calendar.

import { type CapabilityJobs, reaction } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { assignmentClosed, deliveryRecorded, planChanged } from '../interventions/index.ts';
import { recountAll } from './requests/daily.ts';
import { overdueRecounts, recountQueue, requestRecounts } from './requests/requests.ts';
import { serveRecounts } from './requests/serve.ts';

const sweepEveryMs = 5_000;
/** A job that is only slow is not added twice: its id keeps it unique while it waits. */
const overdueAfterMs = 10_000;
const sweepLimit = 1_000;

export const fidelityJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'fidelity-follow-plans',
      locks: 'fidelityRequest',
      to: [deliveryRecorded, planChanged, assignmentClosed],
      toJobs: (trx, events, now) =>
        requestRecounts(
          trx,
          events.map(({ organizationId, payload: { studentId, assignmentId } }) => ({
            ...{ organizationId, studentId, assignmentId },
          })),
          now,
        ),
    }),
  ],
  handlers: [
    {
      queue: recountQueue,
      concurrency: 2,
      turn: 'following',
      handle: (services, { organizationId, assignmentIds }) =>
        serveRecounts(services, String(organizationId), String(assignmentIds).split(',')),
    },
  ],
  schedules: [
    {
      name: 'fidelity-recount-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db, clock }, queues) => {
        const now = clock.now();
        await queues.add(await inContext(db, 'SUPER', (trx) => overdueRecounts(trx, now, overdueAfterMs, sweepLimit)));
      },
    },
  ],
  daily: [
    {
      // After the plans of the day, which begin and end in the hour before.
      name: 'fidelity-of-the-day',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, { organizationId }) => recountAll(services, organizationId, services.clock.now()),
    },
  ],
};
