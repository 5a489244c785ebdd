// Timeouts of tests for the database: about as long as a file may take, because a machine under load may stop for seconds,
// which is no failure. The service's own timeouts apply where they are tested.
import type { Timeouts } from '#core/platform/timeouts.ts';

const longTimeoutMs = 100_000;

export const longTimeouts: Timeouts = {
  acquireMs: longTimeoutMs,
  statementMs: longTimeoutMs,
  lockMs: longTimeoutMs,
  idleInTransactionMs: longTimeoutMs,
};

/**
 * The timeout of facts that background work brings about; shorter than that of a file, so that the file reports what is
 * missing.
 */
export const eventuallyTimeoutMs = longTimeoutMs;

/** The service's timeouts for limiters and sign-in providers. Silent ones are tested too, so these cannot be as long. */
export const clientTimeouts = { limitsMs: 10_000, providerMs: 30_000 };

/** The queue of one person: as many requests may wait as a test sends, for as long as it takes. */
export const longQueue = { mostWaiting: 1_000, waitMs: longTimeoutMs };
