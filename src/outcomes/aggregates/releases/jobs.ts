// Schedules releases at 02:00 local time of each organization, before the working day.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { nightlyRelease } from './nightly.ts';

export const releaseJobs: CapabilityJobs = {
  daily: [
    {
      name: 'aggregate-releases',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, turn) => nightlyRelease(services, turn),
    },
  ],
};
