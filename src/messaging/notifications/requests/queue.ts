// One job for each organization, whatever the number of its requests, so that all organizations are served in turn.
import type { Job } from '#core/platform/queue/queue.ts';

export const dispatchQueue = 'notifications';

export const dispatchJobs = (organizationIds: readonly string[]): Job[] =>
  organizationIds.map((organizationId) => ({
    queue: dispatchQueue,
    id: `notifications-${organizationId}`,
    data: { organizationId },
  }));
