// Presents a queue: the progress, never results or targets.
import { answeredIn, type QueueRecord } from './store.ts';

export const presentQueue = (record: QueueRecord) => ({
  queueId: record.queue.id,
  status: record.queue.status,
  answered: answeredIn(record),
  itemBudget: record.queue.itemBudget,
});
