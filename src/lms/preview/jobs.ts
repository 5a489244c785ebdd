// What lets previews be built: the event of their asking, and a sweep for those that were lost or whose process died.
import { type CapabilityJobs, reaction } from '../../kernel/jobs.ts';
import { inContext } from '../../platform/db.ts';
import type { Job } from '../../platform/queue/queue.ts';
import { rowsOf } from '../../platform/sql.ts';
import { previewRequested } from '../events.ts';
import { buildPreview } from './build/build.ts';
import type { PreviewKey } from './rows.ts';

const queue = 'lms-previews';
const sweepEveryMs = 5_000;
const sweepLimit = 200;
/** Of one process at a time. */
const concurrency = 2;

const queueJob = ({ organizationId, id }: PreviewKey): Job => ({
  queue,
  id: `lms-preview-${id}`,
  data: { organizationId, previewId: id },
});

export const previewJobs: CapabilityJobs = {
  reactions: [
    reaction({
      name: 'lms-preview',
      to: [previewRequested],
      toJobs: async (_trx, events) =>
        events.map(({ organizationId, payload }) => queueJob({ organizationId, id: payload.previewId })),
    }),
  ],
  handlers: [
    {
      queue,
      concurrency,
      handle: (services, { organizationId, previewId }, stop) =>
        buildPreview(services, { organizationId: String(organizationId), id: String(previewId) }, stop),
    },
  ],
  schedules: [
    {
      name: 'lms-preview-sweep',
      everyMs: sweepEveryMs,
      run: async ({ db }, queues) => {
        const open = await inContext(db, 'SUPER', (trx) =>
          rowsOf<PreviewKey>(
            trx,
            `select organization_id, id from lms_preview where state = 'building' and run_id is null
               and (held_until is null or held_until < clock_timestamp()) order by created_at limit :sweepLimit`,
            { sweepLimit },
          ),
        );
        await queues.add(open.map(queueJob));
      },
    },
  ],
};
