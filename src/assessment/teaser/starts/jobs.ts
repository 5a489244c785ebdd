// Deletes the starts of an address after a day.

import type { CapabilityJobs } from '#core/module/jobs.ts';
import { dayMs, hourMs } from '#core/platform/pure/dates/durations.ts';
import { TeaserStart } from '../store.ts';

/** Longer than any window of the limit. */
const keptMs = dayMs;

export const teaserJobs: CapabilityJobs = {
  schedules: [
    {
      name: 'teaser-starts-purge',
      everyMs: hourMs,
      async run({ db, clock }) {
        await TeaserStart.query(db)
          .where('startedAt', '<', new Date(clock.now().getTime() - keptMs))
          .delete();
      },
    },
  ],
};
