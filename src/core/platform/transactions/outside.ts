// Work that takes long or calls out is done outside of transactions, which would hold a connection, and maybe rows, meanwhile.
// In tests the functions that do such work throw if a transaction is open.
import type { AsyncLocalStorage } from 'node:async_hooks';

interface TransactionState {
  open: boolean;
}

/** Absent in production, where tracking every callback costs time. */
let storedState: AsyncLocalStorage<TransactionState> | undefined;

/** For tests: tracks from now on which work belongs to a transaction. */
export function watchTransactions(storage: AsyncLocalStorage<TransactionState>): void {
  storedState ??= storage;
}

/** Runs the work of a transaction. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  if (!storedState) return work();
  const state = { open: true };
  return storedState.run(state, work).finally(() => {
    state.open = false;
  });
}

/** Throws an Error in tests if a transaction is open. `work` names what is about to begin: `hashing`, `printing`. */
export function requireNoTransaction(work: string): void {
  if (storedState?.getStore()?.open) throw new Error(`${work} inside a transaction`);
}
