// Keeps the outbox small: events that were relayed long ago have done their duty.
import type { CapabilityJobs } from '../src/jobs.ts';
import { inContext } from '../src/platform/db.ts';

const keptMs = 30 * 86_400_000;
const batchSize = 5_000;

export const housekeepingJobs: CapabilityJobs = {
  daily: [
    {
      name: 'outbox-purge',
      dailyAt: 0,
      of: 'platform',
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - keptMs);
        const purgeBatch = () =>
          inContext(db, 'SUPER', (trx) =>
            trx('outbox')
              .whereIn('id', trx('outbox').select('id').where('relayedAt', '<', before).limit(batchSize))
              .delete(),
          );
        while ((await purgeBatch()) === batchSize);
      },
    },
  ],
};
