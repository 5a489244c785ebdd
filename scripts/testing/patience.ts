// How long tests wait for the database: about as long as a file may take. A machine under load stops for seconds, which is
// no failure; the service's own limits hold where they are what is tested.
import type { Timeouts } from '../../src/platform/db.ts';

const patienceMs = 100_000;

export const patientTimeouts: Timeouts = {
  acquireMs: patienceMs,
  statementMs: patienceMs,
  lockMs: patienceMs,
  idleInTransactionMs: patienceMs,
};

/** For what the service waits for by its own clocks. */
export const limitsPatienceMs = 10_000;
