// Timeouts of connections, statements, locks and idle transactions.

/** Timeouts in milliseconds. */
export interface Timeouts {
  readonly acquireMs: number;
  readonly statementMs: number;
  /** The wait for a row that another transaction has locked. */
  readonly lockMs: number;
  /** Long work never holds a transaction: read, release, compute, lock, compare, write. */
  readonly idleInTransactionMs: number;
}

/** The timeouts of work whose response a client waits for. */
export const usualTimeouts: Timeouts = {
  acquireMs: 5_000,
  statementMs: 30_000,
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
};

export const sessionWith = ({ lockMs, idleInTransactionMs }: Timeouts) => ({
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
});

/** The settings of every connection of the run-time role, for the driver. */
export const runtimeSession = sessionWith(usualTimeouts);
