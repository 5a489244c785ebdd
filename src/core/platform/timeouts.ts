// How long a connection, a statement, a row and an idle transaction are waited for.

/** How long things are waited for, in milliseconds. */
export interface Timeouts {
  readonly acquireMs: number;
  readonly statementMs: number;
  /** For a row that somebody else changes. */
  readonly lockMs: number;
  /** Work that takes long never holds a transaction: read, release, compute, lock, compare, write. */
  readonly idleInTransactionMs: number;
}

/** What whoever waits for an answer of the service can bear. */
export const usualTimeouts: Timeouts = {
  ...{ acquireMs: 5_000, statementMs: 30_000, lockMs: 5_000, idleInTransactionMs: 10_000 },
};

export const sessionWith = ({ lockMs, idleInTransactionMs }: Timeouts) => ({
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
});

/** What every connection of the run-time role begins with, as settings of the driver. */
export const runtimeSession = sessionWith(usualTimeouts);
