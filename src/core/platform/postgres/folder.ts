// Locks of the data folder. Two services on one folder would stop each other's database, so one `npm start` serves it at a time;
// workers may run beside it.
import path from 'node:path';
import { ConfigError } from '../config/settings.ts';
import { ensureDataDir } from './data-dir.ts';
import { acquireLockFile, lockFileOwner, recordAddress, releaseLockFile } from './lock-file.ts';
import { pause, pollMs } from './processes.ts';

export interface DataFolder {
  /** Records the address of this service for processes that find the folder locked. */
  announce(address: string): void;
  /** Whether a running `npm start` serves the folder now. */
  isServed(): boolean;
  release(): void;
}

/** Throws ConfigError if another process serves the folder. With `beside`, this process uses the folder without serving it. */
export function useFolder(dataDir: string, beside: boolean): DataFolder {
  const file = path.join(dataDir, 'service.json');
  ensureDataDir(dataDir);
  const owner = beside ? undefined : acquireLockFile(file);
  if (owner) {
    const who = owner.address ? `the service at ${owner.address}` : 'a service that is starting';
    throw new ConfigError(`DATA_DIR is in use by ${who} (process ${owner.pid}); stop it or set another DATA_DIR.`);
  }
  return {
    announce: (address) => beside || recordAddress(file, address),
    isServed: () => lockFileOwner(file) !== undefined,
    release: () => releaseLockFile(file),
  };
}

const startLockTimeoutMs = 60_000;

/** Waits until no other process starts the server of this data directory. Returns the function that releases the lock. */
export async function lockStart(dataRoot: string): Promise<() => void> {
  const file = path.join(dataRoot, 'pg.starting');
  const deadline = Date.now() + startLockTimeoutMs;
  while (acquireLockFile(file)) {
    if (Date.now() > deadline)
      throw new Error(`Another process has been starting PostgreSQL for a minute; see ${file}.`);
    await pause(pollMs);
  }
  return () => releaseLockFile(file);
}
