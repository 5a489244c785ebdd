// Starts the embedded PostgreSQL of a machine that has no server: creates it once, adopts one that still runs after
// our own process was killed, and stops it without losing a commit.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { type Installation, prepareInstallation } from './binaries.ts';
import {
  createCluster,
  lastPort,
  openLog,
  type Passwords,
  passwordsOf,
  rememberPort,
  serverEnvironment,
} from './cluster.ts';
import { alive, freePort, hasEnded, isPostgres, pause, pollMs, type Running, stopPid } from './processes.ts';
import { lockStart } from './start-lock.ts';
import { superviseServer } from './supervisor.ts';

export interface EmbeddedServer {
  /** Connection string of the superuser for one database of the server. */
  url(database: string): string;
  /** The same for a role that logs in with the password of the run-time role. */
  appUrl(database: string, role: string): string;
  readonly appPassword: string;
  /** True when the server was already running and was taken over. */
  readonly adopted: boolean;
  /** Where the data is, when that is not the configured folder. */
  readonly displacedTo: string | undefined;
  /** Fast shutdown: open transactions roll back, commits stay. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Leaves the server running and looks after it no longer. */
  leave(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Extra `name=value` settings, for example `fsync=off` for a throw-away test server. */
  readonly settings?: readonly string[];
  /** Starts a server that dies again, on the same port, and says so here. Without it a dead server stays dead. */
  readonly onDeath?: ((event: string, error?: unknown) => void) | undefined;
}

const startTimeoutMs = 60_000;
const orphansGoMs = 3_000;
const tryAgainMs = 300;

/** Two processes that start on one data directory take turns: the second adopts what the first has started. */
export async function startEmbeddedServer(options: ServerOptions): Promise<EmbeddedServer> {
  const installation = prepareInstallation(options.dataDir);
  const passwords = passwordsOf(installation.dataRoot);
  const first = await launchOrAdopt(installation, passwords, options);
  const start = (port: number) => launchOrAdopt(installation, passwords, options, port);
  const watched = options.onDeath && superviseServer(first, start, options.onDeath);
  let stopping: Promise<void> | undefined;
  const login = (user: string, password: string, database: string) => urlOf(user, password, first.port, database);
  return {
    url: (database) => login('postgres', passwords.owner, database),
    appUrl: (database, role) => login(role, passwords.app, database),
    appPassword: passwords.app,
    adopted: first.adopted,
    displacedTo: installation.displaced ? installation.dataRoot : undefined,
    stop() {
      stopping ??= (async () => stopPid((watched ? await watched.end() : first).pid))();
      return stopping;
    },
    async leave() {
      await watched?.end();
    },
  };
}

async function launchOrAdopt(
  installation: Installation,
  passwords: Passwords,
  { settings = [] }: ServerOptions,
  preferredPort?: number,
): Promise<Running & { adopted: boolean }> {
  const unlock = await lockStart(installation.dataRoot);
  try {
    const dataDir = path.join(installation.dataRoot, 'pg');
    const running = await adoptable(dataDir, passwords.owner);
    if (running) return { ...running, adopted: true };
    if (!fs.existsSync(path.join(dataDir, 'PG_VERSION'))) await createCluster(installation, dataDir, passwords.owner);
    const port = preferredPort ?? (await freePort(lastPort(installation.dataRoot)));
    const child = await launchUntilReady(installation, dataDir, passwords.owner, { port, settings });
    rememberPort(installation.dataRoot, port);
    return { pid: child.pid ?? 0, port, adopted: false };
  } finally {
    unlock();
  }
}

/** Children of a server that was killed go within moments; until then a new one does not start, and is tried again. */
async function launchUntilReady(
  installation: Installation,
  dataDir: string,
  password: string,
  { port, settings }: { readonly port: number; readonly settings: readonly string[] },
): Promise<ChildProcess> {
  const url = urlOf('postgres', password, port, 'postgres');
  const deadline = Date.now() + orphansGoMs;
  for (;;) {
    const child = launch(installation, dataDir, port, settings);
    try {
      await untilReady(child, dataDir, url);
      return child;
    } catch (error) {
      if (!hasEnded(child) || Date.now() > deadline) throw error;
      await pause(tryAgainMs);
    }
  }
}

const urlOf = (user: string, password: string, port: number, database: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/** Detached: a Ctrl-C reaches the whole process group and would stop the database before the workers have drained. */
function launch(installation: Installation, dataDir: string, port: number, settings: readonly string[]): ChildProcess {
  const fixed = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'timezone=UTC'];
  const argv = ['-D', dataDir, '-p', String(port), ...[...fixed, ...settings].flatMap((setting) => ['-c', setting])];
  const log = openLog(`${dataDir}.log`);
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

/**
 * Reads `postmaster.pid`: line 1 is the process, line 4 the port. The file of a dead server stays: PostgreSQL finds out
 * by it whether children of the dead one still write. One that names a living stranger is removed.
 */
async function adoptable(dataDir: string, password: string): Promise<Running | undefined> {
  const file = path.join(dataDir, 'postmaster.pid');
  if (!fs.existsSync(file)) return undefined;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  for (let attempt = 0; attempt < 40 && alive(pid); attempt++) {
    if (await answers(urlOf('postgres', password, port, 'postgres'))) return { pid, port };
    await pause(pollMs);
  }
  if (!alive(pid)) return undefined;
  if (isPostgres(pid)) {
    throw new Error(`A PostgreSQL (process ${pid}) already uses ${dataDir} and does not let us in; stop it first.`);
  }
  fs.rmSync(file, { force: true });
  return undefined;
}

/** Asked only once the server says that it is ready: every knock before costs it a process. */
async function untilReady(child: ChildProcess, dataDir: string, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(reportsReady(child, dataDir) && (await answers(url)))) {
    if (hasEnded(child)) throw new Error('The embedded PostgreSQL did not start; see pg.log in the data directory.');
    if (Date.now() > deadline) throw new Error('The embedded PostgreSQL did not answer within a minute.');
    await pause(pollMs);
  }
}

/** Line 8 of `postmaster.pid` is the state. */
function reportsReady(child: ChildProcess, dataDir: string): boolean {
  const file = path.join(dataDir, 'postmaster.pid');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready';
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
