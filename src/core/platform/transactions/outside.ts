// Work that takes long or waits for somebody else is done outside of transactions: it would hold a connection, and maybe
// rows, that others wait for. In tests the functions that do such work throw where a transaction is open.
import type { AsyncLocalStorage } from 'node:async_hooks';

interface Held {
  open: boolean;
}

/** Absent in service: following every callback costs time. */
let watched: AsyncLocalStorage<Held> | undefined;

/** For tests: from now on it is known which work belongs to a transaction. */
export function watchTransactions(storage: AsyncLocalStorage<Held>): void {
  watched ??= storage;
}

/** Runs the work of a transaction. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  if (!watched) return work();
  const held = { open: true };
  return watched.run(held, work).finally(() => {
    held.open = false;
  });
}

/** Throws an Error in tests where a transaction is open. `work` says what is about to begin: `hashing`, `printing`. */
export function requireNoTransaction(work: string): void {
  if (watched?.getStore()?.open) throw new Error(`${work} inside a transaction`);
}
