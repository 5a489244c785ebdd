// Reads `postmaster.pid`, which the server writes, rewrites and removes concurrently: a missing or incomplete file counts as
// none.
import fs from 'node:fs';
import path from 'node:path';

export interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

const lineOf = { pid: 0, port: 3, state: 7 } as const;

export function readPidFile(dataDir: string): PidFile | undefined {
  const lines = linesOf(pidFileOf(dataDir));
  const [pid, port] = [Number(lines[lineOf.pid]), Number(lines[lineOf.port])];
  if (!(pid > 0) || !(port > 0)) return undefined;
  return { pid, port, ready: lines[lineOf.state]?.trim() === 'ready' };
}

export const removePidFile = (dataDir: string): void => fs.rmSync(pidFileOf(dataDir), { force: true });

const pidFileOf = (dataDir: string) => path.join(dataDir, 'postmaster.pid');

function linesOf(file: string): readonly string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
