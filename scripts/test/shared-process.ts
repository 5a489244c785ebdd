// A process that runs many test files one after another. It is not used again after a crash, a stop or an open resource, nor
// after many files.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { nodeArguments } from '../launch/programs.mjs';
import type { TestFile } from './files.ts';
import { type FileResult, openResourcesMessage, resultOf, lingerMs as usualLingerMs } from './outcome.ts';
import { killGroup } from './run-file.ts';

/** The message to the process for each file. */
export interface Order {
  readonly program: string;
  /** The beginning of the line that the process writes after the file's own output. */
  readonly endMark: string;
  readonly environment: Readonly<Record<string, string>>;
  /** How long a resource may stay open after the last test. */
  readonly lingerMs: number;
}

export interface SharedProcess {
  run(file: TestFile, environment: Readonly<Record<string, string>>, signal: AbortSignal): Promise<FileResult>;
  /** Returns whether the process can run no more files. */
  isSpent(): boolean;
  close(): void;
}

interface Ending {
  readonly output: string;
  readonly exitCode: number | null;
  readonly trouble: string | undefined;
}

/** Several processes share few cores, so parallel collection of garbage would only wait. */
const v8Options = ['--single-threaded-gc', '--max-semi-space-size=32'];
/** The most files of one process, since their programs stay loaded. */
const maxFiles = 40;

export function startSharedProcess(
  programs: string,
  environment: NodeJS.ProcessEnv,
  lingerMs = usualLingerMs,
): SharedProcess {
  const child = spawn(
    process.execPath,
    [...v8Options, ...nodeArguments(programs, 'scripts/test/shared-process-program.ts')],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    },
  );
  let files = 0;
  let spent = false;
  const close = () => {
    spent = true;
    killGroup(child);
  };
  child.once('exit', close);
  return {
    isSpent: () => spent,
    close,
    async run(file, own, signal) {
      const startedAt = performance.now();
      const order = {
        program: programOf(programs, file),
        endMark: `end of file ${randomUUID()}`,
        environment: own,
        lingerMs,
      };
      const { output, exitCode, trouble } = await runIn(child, order, file.timeoutMs, signal);
      files += 1;
      if (trouble !== undefined || files >= maxFiles) close();
      return { ...resultOf(output, exitCode, trouble), durationMs: performance.now() - startedAt, output };
    },
  };
}

const programOf = (programs: string, { name }: TestFile) => path.resolve(nodeArguments(programs, name).at(-1) ?? name);

/** Resolves when the mark was written, the process has ended, its timeout has passed or `signal` aborts. */
function runIn(child: ChildProcess, order: Order, timeoutMs: number, signal: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    let output = '';
    const ends = new AbortController();
    const end = (exitCode: number | null, trouble?: string) => {
      ends.abort();
      clearTimeout(limit);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', onData);
      child.off('close', onClose);
      resolve({ output, exitCode, trouble });
    };
    const onData = (chunk: string) => {
      output += chunk;
      const [whole, code, state] = endOf(output, order.endMark);
      if (whole === undefined) return;
      output = output.replace(whole, '');
      end(Number(code), state === 'clean' ? undefined : `${openResourcesMessage} (${state})`);
    };
    const onClose = (code: number | null) => end(code, `ended before its last test, ${endedWith(code)}`);
    const limit = setTimeout(() => end(null, `took longer than ${timeoutMs / 1000} s`), timeoutMs);
    signal.addEventListener('abort', () => end(null, 'was stopped'), { once: true, signal: ends.signal });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onData);
    child.once('close', onClose);
    child.send(order);
  });
}

const endOf = (output: string, mark: string): readonly (string | undefined)[] =>
  new RegExp(`\\n${mark} (\\d+) (\\S+)\\n`).exec(output) ?? [];

const endedWith = (code: number | null) => (code === null ? 'by a signal' : `with exit code ${code}`);
