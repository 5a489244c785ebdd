// Runs the service as on one machine, with each part in a process of its own that can be killed and restarted: the API
// with its embedded PostgreSQL, a worker, and Redis where it is installed. A process that exits by itself is restarted
// after a pause, as a process manager would do.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readPidFile } from '#core/platform/postgres/pid-file.ts';
import { freePort } from '#core/platform/postgres/processes.ts';
import { nodeArgv } from '../../harness/programs.ts';

export type Part = 'api' | 'worker' | 'postgres' | 'redis';

export interface Programs {
  readonly address: string;
  readonly parts: readonly Part[];
  /** Connection string of the owner of the embedded server. It changes with each restart. */
  databaseUrl(): string;
  /** Sends SIGKILL and restarts what the service does not restart itself. Resolves when everything is ready. */
  kill(part: Part): Promise<void>;
  stop(): Promise<void>;
}

const readyWithinMs = 60_000;
const pollMs = 50;
const restartMs = 300;

export async function startPrograms(withRedis: boolean): Promise<Programs> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-chaos-'));
  fs.chmodSync(root, 0o755);
  const dataDir = path.join(root, 'data');
  const [port, redisPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: os.homedir(),
    LOG_LEVEL: 'silent',
    SEED_DEMO: 'false',
    WORKERS: 'none',
    RATE_LIMIT_USER_PER_MINUTE: '1000000',
    RATE_LIMIT_IP_PER_MINUTE: '1000000',
    DATA_DIR: dataDir,
    PORT: String(port),
    ...(withRedis && { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
  };
  const running = new Map<Part, ChildProcess>();
  const launch: Readonly<Record<Exclude<Part, 'postgres'>, () => ChildProcess>> = {
    api: () => program(nodeArgv('src/main.ts'), environment),
    worker: () => program(nodeArgv('workers/main.ts'), environment),
    redis: () => redisServer(redisPort, root),
  };
  let stopping = false;
  const start = (part: Exclude<Part, 'postgres'>): void => {
    const child = launch[part]();
    running.set(part, child);
    child.once('exit', () => setTimeout(() => !stopping && running.get(part) === child && start(part), restartMs));
  };
  if (withRedis) start('redis');
  start('api');
  await untilReady(address);
  start('worker');
  return {
    address,
    parts: withRedis ? ['api', 'worker', 'postgres', 'redis'] : ['api', 'worker', 'postgres'],
    databaseUrl: () => ownerUrl(dataDir),
    async kill(part) {
      if (part === 'postgres') process.kill(postmaster(dataDir).pid, 'SIGKILL');
      else {
        await killed(running.get(part));
        start(part);
      }
      await untilReady(address);
    },
    async stop() {
      stopping = true;
      await ended(running.get('worker'), 'SIGTERM');
      await ended(running.get('api'), 'SIGTERM');
      await killed(running.get('redis'));
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

function program(argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Redis syncs every write to disk before it replies. The loss of a queue is tested in emptied-queue.test.ts. */
function redisServer(port: number, dir: string): ChildProcess {
  const argv = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--appendonly', 'yes'];
  return spawn('redis-server', [...argv, '--appendfsync', 'always', '--save', ''], { stdio: 'ignore' });
}

const killed = (child: ChildProcess | undefined) => ended(child, 'SIGKILL');

async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

async function untilReady(address: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    const ready = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error(`the service was not ready again within ${readyWithinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Process number and port from the pid file of the server. */
function postmaster(dataDir: string) {
  const server = readPidFile(path.join(dataDir, 'pg'));
  if (!server) throw new Error('the embedded PostgreSQL does not run');
  return server;
}

function ownerUrl(dataDir: string): string {
  const password = fs.readFileSync(path.join(dataDir, 'pg.password'), 'utf8').trim();
  return `postgres://postgres:${password}@127.0.0.1:${postmaster(dataDir).port}/postgres`;
}
