// Starts the embedded PostgreSQL of a machine that has no server: creates it once, adopts one that still runs after
// our own process was killed, and stops it without losing a commit.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Installation, prepareInstallation } from './binaries.ts';
import { alive, freePort, hasEnded, isPostgres, pause, pollMs, stopChild, stopPid } from './processes.ts';
import { lockStart } from './start-lock.ts';

export interface EmbeddedServer {
  /** Connection string of the superuser for one database of the server. */
  url(database: string): string;
  /** True when the server was already running and was taken over. */
  readonly adopted: boolean;
  /** Fast shutdown: open transactions roll back, commits stay. Resolves when the process is gone. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Extra `name=value` settings, for example `fsync=off` for a throw-away test server. */
  readonly settings?: readonly string[];
}

const run = promisify(execFile);
const startTimeoutMs = 60_000;

/** Two processes that start on one data directory take turns: the second adopts what the first has started. */
export async function startEmbeddedServer(options: ServerOptions): Promise<EmbeddedServer> {
  const installation = prepareInstallation(options.dataDir);
  const unlock = await lockStart(installation.dataRoot);
  try {
    return await adoptOrLaunch(installation, options);
  } finally {
    unlock();
  }
}

async function adoptOrLaunch(installation: Installation, options: ServerOptions): Promise<EmbeddedServer> {
  const dataDir = path.join(installation.dataRoot, 'pg');
  const password = serverPassword(installation.dataRoot);
  const adoptedPid = await adoptable(dataDir, password);
  if (adoptedPid !== undefined) {
    return server(password, adoptedPid.port, true, () => stopPid(adoptedPid.pid));
  }
  if (!fs.existsSync(path.join(dataDir, 'PG_VERSION'))) await createCluster(installation, dataDir, password);
  const port = await freePort();
  const child = launch(installation, dataDir, port, options.settings ?? []);
  await untilReady(child, urlOf(password, port, 'postgres'));
  return server(password, port, false, () => stopChild(child));
}

function server(password: string, port: number, adopted: boolean, stop: () => Promise<void>): EmbeddedServer {
  let stopping: Promise<void> | undefined;
  return {
    url: (database) => urlOf(password, port, database),
    adopted,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

const urlOf = (password: string, port: number, database: string) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

function serverPassword(dataRoot: string): string {
  const file = path.join(dataRoot, 'pg.password');
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(18).toString('hex'), { mode: 0o600 });
  return fs.readFileSync(file, 'utf8').trim();
}

async function createCluster(installation: Installation, dataDir: string, password: string): Promise<void> {
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
    throw error;
  } finally {
    fs.rmSync(passwordFile, { force: true });
  }
}

const serverEnvironment = () => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' });

/** Detached: a Ctrl-C reaches the whole process group and would stop the database before the workers have drained. */
function launch(installation: Installation, dataDir: string, port: number, settings: readonly string[]): ChildProcess {
  const fixed = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'timezone=UTC'];
  const argv = ['-D', dataDir, '-p', String(port), ...[...fixed, ...settings].flatMap((setting) => ['-c', setting])];
  const log = fs.openSync(`${dataDir}.log`, 'a');
  const child = spawn(path.join(installation.binDir, 'postgres'), argv, {
    ...installation.account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: serverEnvironment(),
  });
  fs.closeSync(log);
  child.unref();
  return child;
}

/** Reads `postmaster.pid`: line 1 is the process, line 4 the port. A file left by a dead server is removed. */
async function adoptable(dataDir: string, password: string): Promise<{ pid: number; port: number } | undefined> {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!fs.existsSync(file)) return undefined;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  for (let attempt = 0; attempt < 40 && alive(pid); attempt++) {
    if (await answers(urlOf(password, port, 'postgres'))) return { pid, port };
    await pause(pollMs);
  }
  if (alive(pid) && isPostgres(pid)) {
    throw new Error(`A PostgreSQL (process ${pid}) already uses ${dataDir} and does not let us in; stop it first.`);
  }
  fs.rmSync(file, { force: true });
  return undefined;
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error('The embedded PostgreSQL did not start; see pg.log in the data directory.');
    if (Date.now() > deadline) throw new Error('The embedded PostgreSQL did not answer within a minute.');
    await pause(pollMs);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
