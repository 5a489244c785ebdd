// A data folder with an embedded server serves one `npm start` at a time: two would stop each other's database. Workers
// beside it are welcome.
import path from 'node:path';
import { ConfigError } from '../config/settings.ts';
import { announce, claim, ownerOf, release } from './claim.ts';
import { ensureDataDir } from './data-dir.ts';

export interface Folder {
  /** Says where we answer, for those who come later. */
  announce(address: string): void;
  /** Does a living `npm start` use the folder now? */
  isServed(): boolean;
  giveBack(): void;
}

/** Throws ConfigError where another process serves the folder. `beside`: we do not serve it ourselves. */
export function useFolder(dataDir: string, beside: boolean): Folder {
  const file = path.join(dataDir, 'service.json');
  ensureDataDir(dataDir);
  const owner = beside ? undefined : claim(file);
  if (owner) {
    const who = owner.address ? `the service at ${owner.address}` : 'a service that is starting';
    throw new ConfigError(`DATA_DIR is in use by ${who} (process ${owner.pid}); stop it or set another DATA_DIR.`);
  }
  return {
    announce: (address) => beside || announce(file, address),
    isServed: () => ownerOf(file) !== undefined,
    giveBack: () => release(file),
  };
}
