// The daily purge, which runs while it is night at most schools.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { purgeExpired } from './purge.ts';

export const retentionJobs: CapabilityJobs = {
  daily: [
    {
      name: 'retention-purge',
      dailyAt: 0,
      of: 'platform',
      run: (services) => purgeExpired(services, services.clock.now()),
    },
  ],
};
