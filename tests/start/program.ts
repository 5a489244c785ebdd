// Runs the real programs as processes, records their output, and ends them after the file's last test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Test } from 'uvu';
import { alive, freePort } from '#core/platform/postgres/processes.ts';
import type { TestDatabase } from '../harness/database.ts';
import { skipped } from '../harness/needs.ts';
import { nodeArgv } from '../harness/programs.ts';

export interface Program {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  ended(): Promise<number | null>;
  /** Sends SIGTERM. Returns the exit code and how long the process took to end. */
  stop(): Promise<{ code: number | null; ms: number }>;
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export type Run = (entry: 'src/main.ts' | 'workers/main.ts', environment: Record<string, string>) => Program;

export const ready = /ready at (http:\/\/127\.0\.0\.1:\d+)/;
const repository = path.resolve(import.meta.dirname, '../..');

export function usePrograms<Context>(test: Test<Context>): Run {
  const started: ChildProcess[] = [];
  test.after(() => {
    for (const child of started) child.kill('SIGKILL');
  });
  return (entry, environment) => {
    const child = spawn(process.execPath, nodeArgv(entry), {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', HOME: os.homedir(), LOG_LEVEL: 'silent', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    return watch(child);
  };
}

function watch(child: ChildProcess): Program {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    output: () => output,
    ended: () => ended,
    async stop() {
      const from = performance.now();
      child.kill('SIGTERM');
      return { code: await ended, ms: performance.now() - from };
    },
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
  };
}

/** Settings of a service on the test file's own database. */
export const onDatabase = (database: TestDatabase) => ({
  DATABASE_URL: database.ownerUrl,
  DATABASE_APP_URL: database.appUrl,
  DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-start-')),
  PORT: '0',
  SEED_DEMO: 'false',
});

/**
 * Creates a folder in which a service makes its own database. A server that is still running after the test is killed.
 */
export function useDataDir<Context>(test: Test<Context>): string {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'literacy-start-'));
  // As root the database server runs under another account, which has to reach its data.
  fs.chmodSync(dataDir, 0o755);
  test.after(() => {
    const pid = databasePid(dataDir);
    if (pid !== undefined && alive(pid)) process.kill(pid, 'SIGKILL');
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

export function databasePid(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'pg/postmaster.pid');
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** Polls the condition for at most `ms`. */
export async function within(ms: number, what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * For tests that kill a Redis of their own. `start` takes further options of the server and resolves when it listens.
 */
export function withOwnRedis(what: string, define: (start: StartRedis) => void): void {
  if (spawnSync('redis-server', ['--version']).status === 0) define(startRedis);
  else skipped(what, 'needs redis-server on the PATH');
}

type StartRedis = typeof startRedis;

async function startRedis(...options: string[]): Promise<{ url: string; kill(): void }> {
  const port = await freePort();
  const argv = ['--port', String(port), '--save', '', '--bind', '127.0.0.1', ...options];
  const child = spawn('redis-server', argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await within(20_000, 'Redis listens', () => output.includes('Ready to accept connections'));
  return { url: `redis://127.0.0.1:${port}`, kill: () => void child.kill('SIGKILL') };
}
