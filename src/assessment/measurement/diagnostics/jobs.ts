// The job that expires abandoned sessions.
import type { CapabilityJobs } from '#core/module/jobs.ts';
import { inContext } from '#core/platform/db.ts';
import { hourMs } from '#core/platform/pure/dates/durations.ts';
import { DiagnosticSession } from './store.ts';

export const diagnosticJobs: CapabilityJobs = {
  schedules: [
    {
      name: 'diagnostic-expiry',
      everyMs: hourMs,
      async run({ db, clock }) {
        await inContext(db, 'SUPER', async (trx) =>
          DiagnosticSession.query(trx)
            .whereIn('status', ['IN_PROGRESS', 'PAUSED'])
            .where('expiresAt', '<=', clock.now().toISOString())
            .patch({ status: 'EXPIRED' }),
        );
      },
    },
  ],
};
