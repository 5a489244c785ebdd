// What lets notifications be dispatched: the job that a reaction asks for, and a sweep for those that were lost, that a killed
// process has left, or whose language rules have come into force.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { dispatchJobs, dispatchQueue } from '../requests/queue.ts';
import { waitingOrganizations } from '../requests/rows.ts';
import { deliverWaiting } from './deliver.ts';
import { setsInForce } from './sets-in-force.ts';

const sweepEveryMs = 1_000;
const sweepLimit = 500;

export const dispatching: CapabilityJobs = {
  handlers: [
    {
      queue: dispatchQueue,
      concurrency: 2,
      handle: (services, { organizationId }, stop) => deliverWaiting(services, String(organizationId), stop),
    },
  ],
  schedules: [
    {
      name: 'notification-sweep',
      everyMs: sweepEveryMs,
      async run({ db, rules, clock }, queues) {
        const waiting = await inReadOnlyContext(db, 'SUPER', async (trx) => {
          const sets = setsInForce((await rules.at(trx, clock.now())).rules);
          return waitingOrganizations(trx, sets, sweepLimit);
        }).catch(noneWithoutRules);
        await queues.add(dispatchJobs(waiting));
      },
    },
  ],
};

/** Nothing can be said before there are rules: all of it waits. */
function noneWithoutRules(error: unknown): string[] {
  if (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE') return [];
  throw error;
}
