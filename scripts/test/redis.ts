// The Redis of tests: TEST_REDIS_URL, or a throw-away server if `redis-server` is installed. Without either, tests that need
// one report that they were skipped.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { freePort } from '#core/platform/postgres/processes.ts';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

const pollMs = 20;
const startTimeoutMs = 10_000;

export async function startTestRedis(): Promise<TestRedis | undefined> {
  const configured = process.env.TEST_REDIS_URL;
  if (configured) return { url: configured, stop: async () => {} };
  const program = onPath('redis-server');
  if (program === undefined) return undefined;
  const port = await freePort();
  const argv = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // The server is detached, so that Ctrl-C stops the tests first.
  const child = spawn(program, argv, { stdio: 'ignore', detached: true });
  await untilListening(child, port);
  return { url: `redis://127.0.0.1:${port}`, stop: () => stopChild(child) };
}

function onPath(program: string): string | undefined {
  const candidates = (process.env.PATH ?? '').split(path.delimiter).map((dir) => path.join(dir, program));
  return candidates.find((file) => fs.existsSync(file));
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('redis-server did not start.');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
