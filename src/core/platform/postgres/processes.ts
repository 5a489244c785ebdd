// Functions about processes and ports that the start of a server needs.
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { processStart } from './lock-file.ts';

/** A running server. */
export interface Running {
  readonly pid: number;
  readonly port: number;
}

/** The polling interval of everything that this folder waits for. */
export const pollMs = 25;

export function isPostgres(pid: number): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`).includes('postgres');
  } catch {
    return process.platform !== 'linux';
  }
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.ref();
  child.kill('SIGINT');
  await gone;
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export async function stopPid(pid: number): Promise<void> {
  if (alive(pid)) process.kill(pid, 'SIGINT');
  while (alive(pid)) await pause(pollMs);
}

/** Returns whether the process is alive. A zombie counts as dead. */
export function alive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isZombie(pid: number): boolean {
  return process.platform === 'linux' && processStart(pid) === undefined;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The range ends below the ports that systems assign to outgoing connections (Linux from 32768, others from 49152), so that none
 * of them takes the stored port while the server is down.
 */
const ownPorts = { from: 20_000, below: 32_768 };
const maxTries = 20;

/** A loopback port that nothing listens on now: the preferred one where it is free, or becomes so within `timeoutMs`. */
export async function freePort(preferred = 0, timeoutMs = 0): Promise<number> {
  const deadline = Date.now() + timeoutMs;
  while (preferred !== 0) {
    if (await isFree(preferred)) return preferred;
    if (Date.now() >= deadline) break;
    await pause(pollMs);
  }
  for (let tries = 0; tries < maxTries; tries++) {
    const drawn = randomInt(ownPorts.from, ownPorts.below);
    if (await isFree(drawn)) return drawn;
  }
  return listenable(0);
}

const isFree = (port: number): Promise<boolean> =>
  listenable(port).then(
    () => true,
    () => false,
  );

/** Returns the port that a listener gets for `port`; 0 means any. */
function listenable(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
