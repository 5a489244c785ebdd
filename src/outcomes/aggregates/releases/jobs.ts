// When releases are made: in the second hour of each organization's night, before anybody reads.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { releaseOfTheNight } from './nightly.ts';

export const releaseJobs: CapabilityJobs = {
  daily: [
    {
      name: 'aggregate-releases',
      dailyAt: 2,
      of: 'organization',
      run: (services, _queues, turn) => releaseOfTheNight(services, turn),
    },
  ],
};
