// One job an organization: however much it has to be told, it takes one place in the queue, and every other has its turn.
import type { Job } from '#core/platform/queue/queue.ts';

export const dispatchQueue = 'notifications';

export const dispatchJobs = (organizationIds: readonly string[]): Job[] =>
  organizationIds.map((organizationId) => ({
    queue: dispatchQueue,
    id: `notifications-${organizationId}`,
    data: { organizationId },
  }));
