// What a caller sees of a queue: how far it is, never how it goes or what it aims at.
import { answeredIn, type QueueRecord } from './store.ts';

export const presentQueue = (record: QueueRecord) => ({
  queueId: record.queue.id,
  status: record.queue.status,
  answered: answeredIn(record),
  itemBudget: record.queue.itemBudget,
});
