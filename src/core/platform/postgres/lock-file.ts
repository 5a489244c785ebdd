// A lock file that names the process which holds it. It becomes invalid when that process is gone, however it ended: a process is
// identified by its number and its start time.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export interface LockOwner {
  readonly pid: number;
  readonly began: string;
  /** The address of the service of that process, once it serves. */
  readonly address?: string | undefined;
}

/** Acquires the lock and returns undefined, or returns its owner. If two processes try at once, exactly one succeeds. */
export function acquireLockFile(file: string): LockOwner | undefined {
  for (;;) {
    if (create(file)) return undefined;
    const owner = lockFileOwner(file);
    if (owner) return owner;
    removeStale(file);
  }
}

/** Returns the living process that holds the lock. */
export function lockFileOwner(file: string): LockOwner | undefined {
  const content = read(file);
  return content !== undefined && processStart(content.pid) === content.began ? content : undefined;
}

/** Adds the address at which this process serves. The caller holds the lock. */
export function recordAddress(file: string, address: string): void {
  const draft = draftOf(file, { ...self(), address });
  fs.renameSync(draft, file);
}

/** Does nothing if another process holds the lock. */
export function releaseLockFile(file: string): void {
  if (lockFileOwner(file)?.pid === process.pid) fs.rmSync(file, { force: true });
}

/** Returns when the process started, as an opaque text, or undefined if it does not exist. A zombie counts as not existing. */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return startByCommand(pid);
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? undefined : `${bootId()} ${started}`;
  } catch {
    return undefined;
  }
}

const bootId = () => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function startByCommand(pid: number): string | undefined {
  try {
    const argv = ['-o', 'lstart=', '-p', String(pid)];
    return execFileSync('ps', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

const self = (): LockOwner => ({ pid: process.pid, began: processStart(process.pid) ?? '' });

/** Creates the file by a hard link, which is atomic. Returns false if the file exists. */
function create(file: string): boolean {
  const draft = draftOf(file, self());
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function draftOf(file: string, content: LockOwner): string {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  return draft;
}

function read(file: string): LockOwner | undefined {
  try {
    const content: Partial<LockOwner> | null = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof content?.pid === 'number' && content.began ? (content as LockOwner) : undefined;
  } catch {
    return undefined;
  }
}

/** Moves the file away before checking it: another process may have acquired the lock since it was read. */
function removeStale(file: string): void {
  const taken = `${file}.${process.pid}.stale`;
  try {
    fs.renameSync(file, taken);
    if (lockFileOwner(taken)) fs.linkSync(taken, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(taken, { force: true });
  }
}
