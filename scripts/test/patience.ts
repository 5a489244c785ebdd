// How long tests wait for the database: about as long as a file may take. A machine under load stops for seconds, which is
// no failure; the service's own limits hold where they are what is tested.
import type { Timeouts } from '#core/platform/timeouts.ts';

const patienceMs = 100_000;

export const patientTimeouts: Timeouts = {
  acquireMs: patienceMs,
  statementMs: patienceMs,
  lockMs: patienceMs,
  idleInTransactionMs: patienceMs,
};

/** For what happens when it has been worked at; less than a file may take, so that the file says what did not. */
export const factPatienceMs = patienceMs;

/** Of the service with those whom it asks. Who answers nothing is tested too, so that it cannot be as long. */
export const servicePatience = { limitsMs: 10_000, providerMs: 30_000 };

/** Of one person as many requests wait as a test sends, and as long as it takes. */
export const patientQueue = { mostWaiting: 1_000, waitMs: patienceMs };
