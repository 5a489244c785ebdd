// A file that says which living process something belongs to. It counts for nothing once that process is gone, however
// it ended: a process is known by its number and the moment it began.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export interface Claim {
  readonly pid: number;
  readonly began: string;
  /** Where the process answers, once it does. */
  readonly address?: string | undefined;
}

/** Makes the file ours and answers undefined, or answers whose it is. Of two that try at once one wins. */
export function claim(file: string): Claim | undefined {
  for (;;) {
    if (create(file)) return undefined;
    const owner = ownerOf(file);
    if (owner) return owner;
    removeStale(file);
  }
}

/** The living process that the file belongs to. */
export function ownerOf(file: string): Claim | undefined {
  const content = read(file);
  return content !== undefined && beginOf(content.pid) === content.began ? content : undefined;
}

/** Adds where we answer. Only for the owner. */
export function announce(file: string, address: string): void {
  const draft = draftOf(file, { ...self(), address });
  fs.renameSync(draft, file);
}

export function release(file: string): void {
  if (ownerOf(file)?.pid === process.pid) fs.rmSync(file, { force: true });
}

/** undefined where there is no such process; a dead one that nobody has fetched yet counts as none. */
export function beginOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return beginByCommand(pid);
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, began] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? undefined : `${bootId()} ${began}`;
  } catch {
    return undefined;
  }
}

const bootId = () => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

function beginByCommand(pid: number): string | undefined {
  try {
    const argv = ['-o', 'lstart=', '-p', String(pid)];
    return execFileSync('ps', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

const self = (): Claim => ({ pid: process.pid, began: beginOf(process.pid) ?? '' });

/** A link is made whole or not at all. */
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

function draftOf(file: string, content: Claim): string {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  return draft;
}

function read(file: string): Claim | undefined {
  try {
    const content: Partial<Claim> | null = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof content?.pid === 'number' && content.began ? (content as Claim) : undefined;
  } catch {
    return undefined;
  }
}

/** Taken away first and looked at then: another process may have put its own there since we looked. */
function removeStale(file: string): void {
  const taken = `${file}.${process.pid}.stale`;
  try {
    fs.renameSync(file, taken);
    if (ownerOf(taken)) fs.linkSync(taken, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(taken, { force: true });
  }
}
