// The files of an embedded server: its data directory, its two passwords and its log, readable by their owner alone.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Installation } from './binaries.ts';

const run = promisify(execFile);

export interface Passwords {
  /** The password of the superuser, as which migrations run. */
  readonly owner: string;
  /** The password of the run-time role. */
  readonly app: string;
}

export const serverEnvironment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });

export function passwordsOf(dataRoot: string): Passwords {
  return {
    owner: storedPassword(path.join(dataRoot, 'pg.password')),
    app: storedPassword(path.join(dataRoot, 'pg.app-password')),
  };
}

function storedPassword(file: string): string {
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(18).toString('hex'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8').trim();
}

/**
 * Returns the port of the last server, on which the next one listens again: a worker beside the API knows the server by its
 * port, and the process that started it may be killed together with it.
 */
export function lastPort(dataRoot: string): number {
  const file = portFile(dataRoot);
  const port = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

export const rememberPort = (dataRoot: string, port: number): void =>
  fs.writeFileSync(portFile(dataRoot), `${port}\n`, { mode: 0o600 });

const portFile = (dataRoot: string) => path.join(dataRoot, 'pg.port');

/** A log may contain statements, so only its owner may read it, also if an earlier version created it. */
export function openLog(file: string): number {
  const log = fs.openSync(file, 'a', 0o600);
  fs.fchmodSync(log, 0o600);
  return log;
}

export async function createCluster(installation: Installation, dataDir: string, password: string): Promise<void> {
  fs.rmSync(dataDir, { recursive: true, force: true });
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const passwordFile = `${dataDir}.initdb-password`;
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  const { account } = installation;
  if (account) for (const file of [dataDir, passwordFile]) fs.chownSync(file, account.uid, account.gid);
  try {
    const argv = ['-D', dataDir, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
    argv.push('-E', 'UTF8', '--locale=C', '--no-sync');
    await run(path.join(installation.binDir, 'initdb'), argv, { ...account, cwd: '/', env: serverEnvironment() });
  } catch (error) {
    fs.rmSync(dataDir, { recursive: true, force: true });
    throw creationError(error);
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}

/** Returns an error with one line of what `initdb` printed, in plain words where the way out is known. */
export function creationError(thrown: unknown): unknown {
  const printed = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr) : '';
  const nameless = /could not look up effective user ID (\d+)/.exec(printed)?.[1];
  if (nameless !== undefined)
    return new Error(
      `PostgreSQL needs an account with a name for user ${nameless}: add a line to /etc/passwd, or set DATABASE_URL.`,
    );
  const fault = printed.split('\n').findLast((line) => /^initdb: error:|\b(?:fatal|panic):/i.test(line));
  return fault === undefined ? thrown : new Error(`The embedded PostgreSQL could not be created: ${fault.trim()}`);
}
