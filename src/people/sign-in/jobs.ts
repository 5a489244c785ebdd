// Sign-ins leave rows that lose their meaning with time.
import type { CapabilityJobs } from '../../kernel/jobs.ts';
import { forgetOldConflicts } from '../accounts/email-conflicts.ts';
import { forgetOldWindows } from '../attempts/attempts.ts';
import { forgetOldSignIns } from '../google/sign-in.ts';
import { forgetOldCodes } from '../quick-codes/quick-codes.ts';

const hourMs = 3_600_000;

export const identityJobs: CapabilityJobs = {
  schedules: [
    {
      name: 'sign-in-purge',
      everyMs: hourMs,
      async run(services) {
        const now = services.clock.now();
        await forgetOldSignIns(services, now);
        await forgetOldCodes(services.db, now);
        await forgetOldWindows(services.db, now);
        await forgetOldConflicts(services.db, now);
      },
    },
  ],
};
