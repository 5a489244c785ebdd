// The data folder of a throw-away server: in memory if there is enough, because a slow disk that creates a database for each
// test file blocks other processes for seconds.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPidFile } from '#core/platform/postgres/pid-file.ts';
import { alive, isPostgres, stopPid } from '#core/platform/postgres/processes.ts';

/** The file system in memory on Linux. Containers often have one of a few megabytes. */
const inMemory = '/dev/shm';
/** What the server and the databases of concurrent files may take, and as much again for other processes. */
const neededBytes = 2 * 1024 ** 3;
/** The host name keeps runs of other machines that share the folder. */
const prefix = `literacy-test-${os.hostname()}-`;

export async function scratchFolder(): Promise<string> {
  const parent = hasMemory() ? inMemory : os.tmpdir();
  await removeAbandoned(parent);
  const folder = fs.mkdtempSync(path.join(parent, `${prefix}${process.pid}-`));
  // As root the server runs under another account, which must reach its data.
  fs.chmodSync(folder, 0o755);
  return folder;
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(inMemory);
    fs.accessSync(inMemory, fs.constants.W_OK);
    return bavail * bsize >= neededBytes && process.availableMemory() >= 2 * neededBytes;
  } catch {
    return false;
  }
}

/** Removes folders of killed runs, whose servers still run and use memory. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of fs.readdirSync(parent)) {
    const [pid] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (pid === undefined || alive(Number(pid))) continue;
    const folder = path.join(parent, name);
    const server = readPidFile(path.join(folder, 'pg'));
    if (server && isPostgres(server.pid)) await stopPid(server.pid);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
