// Two queues: conversations with platforms over the network, and sets of files, which nothing slow keeps waiting. A job of
// theirs is only told that there is something to do: what is next is decided when somebody is free for it.
import type { Job } from '#core/platform/queue/queue.ts';

export const queueNames = ['lms-conversations', 'lms-previews'] as const;
export type QueueName = (typeof queueNames)[number];

/** Of one process at a time: most of a conversation is waiting. */
export const concurrencyOf: Readonly<Record<QueueName, number>> = { 'lms-conversations': 6, 'lms-previews': 2 };

/** `id`: of a preview or a run. */
export const ticketOf = (queue: QueueName, { organizationId, id }: { organizationId: string; id: string }): Job => ({
  queue,
  id: `lms-${id}`,
  data: { organizationId, id },
});
