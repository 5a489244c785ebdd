// The states of all queues, read from their store. Any number of callers costs one reading at a time, also while the store does
// not respond.
import { type Capability, jobsOf } from '#core/module/capability.ts';
import { AppError, unavailable } from '#core/platform/errors.ts';
import type { QueueState, Queues } from '#core/platform/queue/queue.ts';

const patienceMs = 2_000;

export interface NamedQueueState extends QueueState {
  readonly name: string;
}

export type QueueStates = () => Promise<readonly NamedQueueState[]>;

/** The queues of all capabilities, by name. */
export const queueNamesOf = (capabilities: readonly Capability[]): string[] =>
  [...new Set(jobsOf(capabilities).handlers.map(({ queue }) => queue))].sort();

export function queueStatesOf(capabilities: readonly Capability[], state: Queues['state'] | undefined): QueueStates {
  let reading: Promise<NamedQueueState[]> | undefined;
  const read = () =>
    Promise.all(
      queueNamesOf(capabilities).map(async (name) => {
        if (!state) throw storeIsAway();
        return { name, ...(await state(name)) };
      }),
    ).finally(() => {
      reading = undefined;
    });
  return async () => {
    reading ??= read();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(storeIsAway()), patienceMs);
    });
    return Promise.race([reading, late])
      .catch((error: unknown) => {
        throw error instanceof AppError ? error : storeIsAway();
      })
      .finally(() => clearTimeout(timer));
  };
}

const storeIsAway = () => unavailable('The store of the queues does not respond.');
