// Jobs of sign-in: purge of expired rows, and re-encryption of secrets after a key rotation.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { reencryptionJob } from '#core/module/reencryption.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { purgeOldConflicts } from '../accounts/email-conflicts.ts';
import { purgeOldWindows } from '../attempts/attempts.ts';
import { purgeOldSignIns } from '../google/sign-in.ts';
import { purgeOldCodes } from '../quick-codes/quick-codes.ts';
import { sealedSecrets } from '../second-factor/second-factor.ts';

export const identityJobs: CapabilityJobs = {
  daily: [reencryptionJob('second-factor-sealing', sealedSecrets)],
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
