// Where the data of a throw-away server lies: in memory where there is room, because a slow disk that is handed a database
// for each test file holds everybody up for seconds.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPidFile } from '#core/platform/postgres/pid-file.ts';
import { alive, isPostgres, stopPid } from '#core/platform/postgres/processes.ts';

/** A file system in memory, on Linux. Containers often have one of a few megabytes. */
const inMemory = '/dev/shm';
/** What the server and the databases of files that run at once may take, with as much again for everybody else. */
const neededBytes = 2 * 1024 ** 3;
/** Runs of other machines that share the folder are left alone. */
const prefix = `literacy-test-${os.hostname()}-`;

export async function scratchFolder(): Promise<string> {
  const parent = hasRoom() ? inMemory : os.tmpdir();
  await removeLeft(parent);
  const folder = fs.mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  // As root the server runs under another account, which has to reach its data.
  fs.chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(inMemory);
    fs.accessSync(inMemory, fs.constants.W_OK);
    return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes;
  } catch {
    return false;
  }
}

/** A run that was killed has left its server running, and what it holds is memory. */
async function removeLeft(parent: string): Promise<void> {
  for (const name of fs.readdirSync(parent)) {
    const [pid] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (pid === undefined || alive(Number(pid))) continue;
    const folder = path.join(parent, name);
    const server = readPidFile(path.join(folder, 'pg'));
    if (server && isPostgres(server.pid)) await stopPid(server.pid);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
