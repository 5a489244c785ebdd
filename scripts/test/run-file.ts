// Runs one test file in a process of its own and reads the counts of uvu: for a file that measures or changes the process
// itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { nodeArguments } from '../launch/programs.mjs';
import type { TestFile } from './files.ts';
import { type FileResult, lingerMs, openResourcesMessage, resultOf, totals } from './outcome.ts';

const drainMs = 1_000;

/** Runs the file until it ends, its time limit passes, or `signal` aborts. */
export async function runTestFile(
  file: TestFile,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FileResult> {
  const startedAt = performance.now();
  // The process group of its own lets everything that the file started be stopped with it.
  const child = spawn(process.execPath, nodeArguments(environment.TEST_PROGRAMS ?? '', file.name), {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const watch = watchTimeouts(child, file.timeoutMs, signal);
  const output = collectOutput(child, watch.sawOutput);
  const exitCode = await ended(child);
  watch.stop();
  const durationMs = performance.now() - startedAt;
  return { ...resultOf(output(), exitCode, watch.reason()), durationMs, output: output() };
}

function watchTimeouts(child: ChildProcess, timeoutMs: number, signal: AbortSignal) {
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
      linger ??= setTimeout(() => kill(openResourcesMessage), lingerMs);
    },
    stop() {
      clearTimeout(limit);
      clearTimeout(linger);
      signal.removeEventListener('abort', abort);
    },
  };
}

export function killGroup(child: ChildProcess): void {
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

/** Returns the exit code once the output has ended, or a moment later if another process has inherited a pipe. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code));
    child.once('exit', (code) => {
      killGroup(child);
      setTimeout(resolve, drainMs, code).unref();
    });
  });
}
