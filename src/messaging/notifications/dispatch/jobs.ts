// Jobs that dispatch notifications: one that a reaction asks for, and a sweep for lost jobs, for those of a killed process and
// for requests whose language rules have come into force.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { dispatchJobs, dispatchQueue } from '../requests/queue.ts';
import { waitingOrganizations } from '../requests/rows.ts';
import { deliverWaiting, setsInForce } from './deliver.ts';

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

/** Returns no organization while no rules are in force: all requests wait. */
function noneWithoutRules(error: unknown): string[] {
  if (error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE') return [];
  throw error;
}
