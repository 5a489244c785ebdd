// Starts the embedded PostgreSQL of a machine without a server: creates it once, adopts one that still runs after its process
// was killed, and stops it without losing a commit.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { noRoomText } from '../database-errors.ts';
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
import { lockStart } from './folder.ts';
import { readPidFile, removePidFile } from './pid-file.ts';
import { alive, freePort, hasEnded, isPostgres, pause, pollMs, type Running, stopPid } from './processes.ts';
import { superviseServer } from './supervisor.ts';

export interface EmbeddedServer {
  /** Returns the connection string of the superuser for one database of the server. */
  url(database: string): string;
  /** Returns the connection string of a role that logs in with the password of the run-time role. */
  appUrl(database: string, role: string): string;
  readonly appPassword: string;
  /** True if the server was already running and was adopted. */
  readonly adopted: boolean;
  /** The data folder, if it is not the configured one. */
  readonly displacedTo: string | undefined;
  /** Fast shutdown: open transactions roll back, commits stay. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Leaves the server running and ends its supervision. */
  leave(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Extra `name=value` settings, for example `fsync=off` for a throw-away test server. */
  readonly settings?: readonly string[];
  /** Restarts a server that dies, on the same port, and calls this. Without it a dead server stays dead. */
  readonly onDeath?: ((event: string, error?: unknown) => void) | undefined;
}

const startTimeoutMs = 60_000;
const orphansEndMs = 3_000;
const orphansListenMs = 3_000;
const retryMs = 300;
const refusedTimeoutMs = 1000;
/** SQLSTATEs of a server that recovers, starts or stops, or has no free connection. */
const notReady = ['57P03', '53300'];

/** Starts or adopts the server. If two processes start on one data directory, the second adopts the server of the first. */
export async function startEmbeddedServer(options: ServerOptions): Promise<EmbeddedServer> {
  const installation = prepareInstallation(options.dataDir);
  const passwords = passwordsOf(installation.dataRoot);
  const first = await launchOrAdopt(installation, passwords, options);
  const start = (port: number) => launchOrAdopt(installation, passwords, options, port);
  const supervision = options.onDeath && superviseServer(first, start, options.onDeath);
  let stopping: Promise<void> | undefined;
  const login = (user: string, password: string, database: string) => urlOf(user, password, first.port, database);
  return {
    url: (database) => login('postgres', passwords.owner, database),
    appUrl: (database, role) => login(role, passwords.app, database),
    appPassword: passwords.app,
    adopted: first.adopted,
    displacedTo: installation.displaced ? installation.dataRoot : undefined,
    stop() {
      stopping ??= (async () => stopPid((supervision ? await supervision.end() : first).pid))();
      return stopping;
    },
    async leave() {
      await supervision?.end();
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
    const deadline = Date.now() + orphansEndMs;
    // Children of a killed server listen on its port until they notice its end.
    const portTimeoutMs = readPidFile(dataDir) ? orphansListenMs : 0;
    for (;;) {
      const running = await adoptable(dataDir, passwords.owner);
      if (running) return { ...running, adopted: true };
      if (!fs.existsSync(path.join(dataDir, 'PG_VERSION'))) await createCluster(installation, dataDir, passwords.owner);
      const port = preferredPort ?? (await freePort(lastPort(installation.dataRoot), portTimeoutMs));
      const child = launch(installation, dataDir, port, settings);
      if (await becomesReady(child, dataDir, { password: passwords.owner, port, deadline })) {
        rememberPort(installation.dataRoot, port);
        return { pid: child.pid ?? 0, port, adopted: false };
      }
      await pause(retryMs);
    }
  } finally {
    unlock();
  }
}

/**
 * Returns false if the server ended and may be started again: children of a killed server end within moments, and until then a
 * new one does not start; nor does one beside a server that a killed process has just begun.
 */
async function becomesReady(
  child: ChildProcess,
  dataDir: string,
  { password, port, deadline }: { readonly password: string; readonly port: number; readonly deadline: number },
): Promise<boolean> {
  try {
    await untilReady(child, dataDir, urlOf('postgres', password, port, 'postgres'));
    return true;
  } catch (error) {
    if (!hasEnded(child) || Date.now() > deadline) throw error;
    return false;
  }
}

const urlOf = (user: string, password: string, port: number, database: string) =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

/**
 * The server is detached, because Ctrl-C reaches the whole process group and would stop the database before the workers have
 * drained.
 */
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
 * Returns the running server of the folder, if there is one. The file of a dead server stays, because PostgreSQL detects by it
 * whether children of the dead one still write. A file that names a living process other than PostgreSQL is removed.
 */
async function adoptable(dataDir: string, password: string): Promise<Running | undefined> {
  const began = Date.now();
  for (;;) {
    const server = readPidFile(dataDir);
    if (!server || !alive(server.pid)) return undefined;
    if (!isPostgres(server.pid)) {
      removePidFile(dataDir);
      return undefined;
    }
    const { pid, port, ready } = server;
    const answer = await tryConnection(urlOf('postgres', password, port, 'postgres'));
    if (answer === 'accepted') return { pid, port };
    const timeoutMs = ready && answer === 'refused' ? refusedTimeoutMs : startTimeoutMs;
    if (Date.now() - began > timeoutMs) {
      throw new Error(
        `A PostgreSQL (process ${pid}) already uses ${dataDir} and refuses the connection; stop it first.`,
      );
    }
    await pause(pollMs);
  }
}

/** Connects only once the server reports that it is ready, because each earlier attempt costs it a process. */
async function untilReady(child: ChildProcess, dataDir: string, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(reportsReady(child, dataDir) && (await tryConnection(url)) === 'accepted')) {
    if (hasEnded(child)) throw endedAtStart(dataDir);
    if (Date.now() > deadline) throw new Error('The embedded PostgreSQL did not answer within a minute.');
    await pause(pollMs);
  }
}

/** The last lines of the log, which say why the server ended. */
const logTailBytes = 4_096;

function endedAtStart(dataDir: string): Error {
  const log = fs.readFileSync(`${dataDir}.log`).subarray(-logTailBytes).toString();
  const reason = log.includes(noRoomText) ? noRoomText : 'see pg.log in the data directory';
  return new Error(`The embedded PostgreSQL did not start; ${reason}.`);
}

function reportsReady(child: ChildProcess, dataDir: string): boolean {
  const server = readPidFile(dataDir);
  return server?.pid === child.pid && server?.ready === true;
}

async function tryConnection(url: string): Promise<'accepted' | 'later' | 'refused'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return 'accepted';
  } catch (error) {
    const { code } = error as { code?: string };
    // An error without a code is a timeout: on a busy machine a response may take longer than that.
    return code === undefined || notReady.includes(code) ? 'later' : 'refused';
  } finally {
    await client.end().catch(() => {});
  }
}
