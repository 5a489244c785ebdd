// The starts of an address are forgotten a day after they were made.
import type { CapabilityJobs } from '#core/module/jobs.ts';

/** Longer than any window of the limit. */
const keptMs = 86_400_000;

export const teaserJobs: CapabilityJobs = {
  schedules: [
    {
      name: 'teaser-starts-purge',
      everyMs: 3_600_000,
      async run({ db, clock }) {
        await db('teaser_start')
          .where('startedAt', '<', new Date(clock.now().getTime() - keptMs))
          .delete();
      },
    },
  ],
};
