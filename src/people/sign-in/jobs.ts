// Sign-ins leave rows that lose their meaning with time.
import type { CapabilityJobs } from '../../kernel/jobs.ts';
import { purgeOldConflicts } from '../accounts/email-conflicts.ts';
import { purgeOldWindows } from '../attempts/attempts.ts';
import { purgeOldSignIns } from '../google/sign-in.ts';
import { purgeOldCodes } from '../quick-codes/quick-codes.ts';

const hourMs = 3_600_000;

export const identityJobs: CapabilityJobs = {
  schedules: [
    {
      name: 'sign-in-purge',
      everyMs: hourMs,
      async run(services) {
        const now = services.clock.now();
        await purgeOldSignIns(services, now);
        await purgeOldCodes(services.db, now);
        await purgeOldWindows(services.db, now);
        await purgeOldConflicts(services.db, now);
      },
    },
  ],
};
