// One process at a time starts the server of a data directory.
import path from 'node:path';
import { claim, release } from './claim.ts';
import { pause, pollMs } from './processes.ts';

const patienceMs = 60_000;

/** Waits until the lock is ours; answers what gives it back. */
export async function lockStart(dataRoot: string): Promise<() => void> {
  const file = path.join(dataRoot, 'pg.starting');
  const deadline = Date.now() + patienceMs;
  while (claim(file)) {
    if (Date.now() > deadline)
      throw new Error(`Another process has been starting PostgreSQL for a minute; see ${file}.`);
    await pause(pollMs);
  }
  return () => release(file);
}
