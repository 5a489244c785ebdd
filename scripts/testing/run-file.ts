// Runs one test file in a process of its own and counts what uvu reports.
import { type ChildProcess, spawn } from 'node:child_process';
import { nodeArguments } from '../programs.mjs';
import type { TestFile } from './files.ts';

export interface Skipped {
  readonly what: string;
  readonly why: string;
}

export interface FileResult {
  readonly passed: number;
  readonly failed: number;
  /** What did not run on this machine, and why. */
  readonly skipped: readonly Skipped[];
  readonly durationMs: number;
  readonly output: string;
  /** Why the file failed as a whole (crash, time limit, process that never ended); undefined when it did not. */
  readonly trouble: string | undefined;
}

/** How long a process may live on after its last test; longer means that a connection or a timer was left open. */
const lingerMs = 10_000;
const drainMs = 1_000;

/** Runs the file until it ends, its time limit passes, or `signal` aborts. */
export async function runTestFile(
  file: TestFile,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileResult> {
  const startedAt = performance.now();
  // A process group of its own: what the file started is stopped with it.
  const child = spawn(process.execPath, nodeArguments(environment.TEST_PROGRAMS ?? '', file.name), {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const watch = watchOver(child, file.timeoutMs, signal);
  const output = collectOutput(child, watch.sawOutput);
  const exitCode = await ended(child);
  watch.stop();
  const durationMs = performance.now() - startedAt;
  return { ...resultOf(output(), exitCode, watch.reason()), durationMs, output: output() };
}

function watchOver(child: ChildProcess, timeoutMs: number, signal: AbortSignal) {
  let reason: string | undefined;
  const kill = (why: string) => {
    reason ??= why;
    killGroup(child);
  };
  const limit = setTimeout(() => kill(`took longer than ${timeoutMs / 1000} s`), timeoutMs);
  let linger: NodeJS.Timeout | undefined;
  const abort = () => kill('was stopped');
  signal.addEventListener('abort', abort, { once: true });
  return {
    reason: () => reason,
    sawOutput(text: string) {
      if (totals(text) === undefined) return;
      linger ??= setTimeout(() => kill('did not end after its last test: something is still open'), lingerMs);
    },
    stop() {
      clearTimeout(limit);
      clearTimeout(linger);
      signal.removeEventListener('abort', abort);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

/** Returns what the process has written so far, both streams in order of arrival. */
function collectOutput(child: ChildProcess, sawOutput: (text: string) => void): () => string {
  let output = '';
  const onData = (chunk: string) => {
    output += chunk;
    sawOutput(output);
  };
  child.stdout?.setEncoding('utf8').on('data', onData);
  child.stderr?.setEncoding('utf8').on('data', onData);
  return () => output;
}

/** The exit code, once the output has ended too, or a moment later when a stranger inherited a pipe and keeps it. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code));
    child.once('exit', (code) => {
      killGroup(child);
      setTimeout(resolve, drainMs, code).unref();
    });
  });
}

function totals(output: string): { total: number; passed: number } | undefined {
  const found = /^\s*Total:\s+(\d+)\s*\n\s*Passed:\s+(\d+)/m.exec(output);
  return found ? { total: Number(found[1]), passed: Number(found[2]) } : undefined;
}

/** The lines of `tests/support/needs.ts`. */
const skippedIn = (output: string): Skipped[] =>
  [...output.matchAll(/^SKIPPED (.+) \| (.+)$/gm)].map(([, what = '', why = '']) => ({ what, why }));

/**
 * A file that crashed, ran no test or ended with an error although every test passed counts as one failure. One that
 * says what it skipped, and why, has run what this machine has.
 */
function resultOf(output: string, exitCode: number | null, killed: string | undefined) {
  const counted = totals(output);
  const passed = counted?.passed ?? 0;
  const failed = counted ? counted.total - counted.passed : 0;
  const skipped = skippedIn(output);
  const ran = (counted?.total ?? 0) + skipped.length > 0;
  const trouble = killed ?? (failed > 0 ? undefined : troubleOf(ran, exitCode));
  return { passed, failed: failed + (trouble === undefined ? 0 : 1), skipped, trouble };
}

function troubleOf(ran: boolean, exitCode: number | null): string | undefined {
  if (exitCode !== 0) return `ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`;
  return ran ? undefined : 'ran no test';
}
