// The service as deployed: an embedded PostgreSQL with its usual durability, API processes and worker processes, all on the
// loopback interface and stopped when the benchmark ends.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { nodeArguments } from '../../scripts/launch/programs.mjs';
import { createServices } from '../../src/app/app.ts';
import { openStorage } from '../../src/app/storage.ts';
import type { Services } from '../../src/core/module/services.ts';
import { systemClock } from '../../src/core/platform/clock.ts';
import { readConfig } from '../../src/core/platform/config/read-config.ts';
import { connect, type Db } from '../../src/core/platform/db.ts';
import { loadSecrets } from '../../src/core/platform/keys/secrets.ts';
import { startEmbeddedServer } from '../../src/core/platform/postgres/launcher.ts';
import { freePort, stopChild } from '../../src/core/platform/postgres/processes.ts';
import { createLogger } from '../../src/core/platform/process/logger.ts';

export interface Service {
  readonly url: string;
  /** The addresses of all API processes; the first one is `url`. */
  readonly urls: readonly string[];
  /** Connections as the owner, to arrange and inspect rows. */
  readonly owner: Db;
  /** The API's services in this process: for tokens, and for work without the queue. */
  readonly services: Services;
  readonly pids: {
    readonly api: number;
    readonly apis: readonly number[];
    readonly worker: number;
    readonly database: number;
  };
}

/** Starts everything, runs `work`, and stops everything in any case. */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
  { workers = 1, apis = 1, settings = {} }: Partial<Arrangement> = {},
): Promise<Result> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-bench-'));
  // As root the database server runs under another account, which must reach its data.
  fs.chmodSync(dataDir, 0o755);
  const closing: (() => unknown)[] = [() => fs.rmSync(dataDir, { recursive: true, force: true })];
  const interrupted = () => void stopAll(closing).finally(() => process.exit(1));
  for (const signal of endings) process.once(signal, interrupted);
  const outcome = await start(dataDir, closing, { workers, apis, settings })
    .then(work)
    .then(
      (result) => ({ result, failures: [] }),
      (error: unknown) => ({ failures: [error] }),
    );
  for (const signal of endings) process.removeListener(signal, interrupted);
  const [first, ...later] = [...outcome.failures, ...(await stopAll(closing))];
  for (const error of later) console.error('then', error);
  if (!('result' in outcome) || first !== undefined) throw first;
  return outcome.result;
}

/** Stops each resource, the newest first. Returns the errors. */
async function stopAll(closing: (() => unknown)[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let close = closing.pop(); close; close = closing.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Arrangement {
  readonly workers: number;
  readonly apis: number;
  /** Further environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

async function start(
  dataDir: string,
  closing: (() => unknown)[],
  { workers, apis, settings }: Arrangement,
): Promise<Service> {
  const server = await startEmbeddedServer({ dataDir });
  closing.push(() => server.stop());
  const ports = await Promise.all(Array.from({ length: apis }, freePort));
  const [environment] = ports.map((port) => ({ ...environmentOf(dataDir, server.url('postgres'), port), ...settings }));
  if (!environment) throw new RangeError('at least one API process is needed');
  const config = readConfig(environment);
  const log = createLogger('silent');
  const storage = await openStorage(config, new Date(), { log });
  closing.push(() => storage.close());
  const owner = connect(server.url('postgres'), { poolSize: 2, statementTimeoutMs: null, asOwner: true });
  closing.push(() => owner.destroy());
  const secrets = loadSecrets(config);
  const services = createServices({
    config,
    secrets,
    clock: systemClock(),
    db: storage.db,
    reserve: storage.reserve,
    log,
  });
  const started = await Promise.all([
    ...ports.map((port) => launch('src/main.ts', { ...environment, PORT: String(port) }, closing)),
    ...Array.from({ length: workers }, () => launch('workers/main.ts', environment, closing)),
  ]);
  const [api = 0, worker = 0] = [started[0], started[apis]];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const database = Number(fs.readFileSync(path.join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[0]);
  const pids = { api, apis: started.slice(0, apis), worker, database };
  return { url: urls[0] ?? '', urls, owner, services, pids };
}

/** Requests are not limited, because one address sends all of them. */
const environmentOf = (dataDir: string, databaseUrl: string, port: number) => ({
  PATH: process.env.PATH ?? '',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  PORT: String(port),
  SEED_DEMO: 'false',
  WORKERS: 'none',
  LOG_LEVEL: 'error',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  RATE_LIMIT_IP_PER_MINUTE: '1000000',
});

/** Starts a TypeScript file and waits for its line of readiness. Returns its process id. */
export async function launch(
  file: string,
  environment: Readonly<Record<string, string>>,
  closing: (() => unknown)[],
): Promise<number> {
  const child = spawn(process.execPath, nodeArguments(process.env.PROGRAMS_FOLDER ?? '', file), {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(() => stopChild(child));
  await firstLine(child, file);
  return child.pid ?? 0;
}

const shownOfLog = 300;

/** Lines of the log are JSON and no sign of readiness: their beginnings are printed, later ones too. */
function firstLine(child: ChildProcess & { readonly stdout: Readable }, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) =>
      line.startsWith('{') ? console.error(line.slice(0, shownOfLog)) : resolve(),
    );
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready`)));
  });
}
