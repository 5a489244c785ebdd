// One process at a time starts the server of a data directory.
import fs from 'node:fs';
import path from 'node:path';
import { alive, pause, pollMs } from './processes.ts';

const patienceMs = 60_000;

/** The file names the process that is starting the server; one whose process is gone counts for nothing. */
export async function lockStart(dataRoot: string): Promise<() => void> {
  const file = path.join(dataRoot, 'pg.starting');
  const deadline = Date.now() + patienceMs;
  while (!takeLock(file)) {
    if (Date.now() > deadline)
      throw new Error(`Another process has been starting PostgreSQL for a minute; see ${file}.`);
    await pause(pollMs);
  }
  return () => fs.rmSync(file, { force: true });
}

function takeLock(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = Number(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 0);
    if (owner > 0 && !alive(owner)) fs.rmSync(file, { force: true });
    return false;
  }
}
