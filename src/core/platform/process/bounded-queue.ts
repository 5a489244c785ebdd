// Limits how much work of one kind runs at once. Work beyond the limit waits in a bounded queue for a bounded time.
import { unavailable } from '../errors.ts';

export interface QueueLimits {
  readonly concurrency: number;
  readonly maxQueued: number;
  /** How long work may wait in the queue. */
  readonly timeoutMs: number;
  /** The message of the error if the queue is full or the wait was too long. */
  readonly busyMessage: string;
}

export type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** The returned function runs `work`. It throws ENGINE_UNAVAILABLE, with retryAfter, if the queue is full or the wait too long. */
export function boundedQueue({ concurrency, maxQueued, timeoutMs, busyMessage }: QueueLimits): BoundedQueue {
  let free = concurrency;
  const queued: (() => void)[] = [];
  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      if (queued.length >= maxQueued) return reject(unavailable(busyMessage));
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queued.splice(queued.indexOf(begin), 1);
        reject(unavailable(busyMessage));
      }, timeoutMs);
      queued.push(begin);
    });
  return async (work) => {
    if (free > 0) free -= 1;
    else await waitForSlot();
    try {
      return await work();
    } finally {
      const next = queued.shift();
      if (next) next();
      else free += 1;
    }
  };
}
