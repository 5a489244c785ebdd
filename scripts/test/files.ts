// Which test files run, and in which order: the slowest first, so that parallel jobs end together.
import fs from 'node:fs';
import path from 'node:path';

export interface TestFile {
  /** From the repository's root, with forward slashes. */
  readonly name: string;
  readonly timeoutMs: number;
  /** Runs in a process that no other file has used. */
  readonly ownProcess: boolean;
  /** Most of its time passes in waiting for limits of the service: it runs beside files that compute. */
  readonly waits: boolean;
  /** It measures what the service promises of a machine that does nothing else: it runs when the others have ended. */
  readonly alone: boolean;
}

type Durations = Record<string, number>;

const durationsFile = '.tmp/test-durations.json';
const defaultTimeoutMs = 120_000;
/** A file that has never run is taken to need this share of a limit of its own, … */
const shareOfLimit = 0.1;
/** … or one millisecond for this many bytes. */
const bytesPerMs = 10;

/** Test files whose name contains one of `filters` (all when there are none), slowest first. */
export function findTestFiles(filters: readonly string[]): TestFile[] {
  const durations = readDurations();
  const expectedMs = ({ name, timeoutMs }: TestFile) => durations[name] ?? guessedMs(name, timeoutMs);
  return fs
    .readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('tests', name.replaceAll(path.sep, '/')))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .map(readFile)
    .sort((a, b) => expectedMs(b) - expectedMs(a));
}

const guessedMs = (name: string, timeoutMs: number) =>
  timeoutMs > defaultTimeoutMs ? timeoutMs * shareOfLimit : fs.statSync(name).size / bytesPerMs;

/** Linux says how long a thread was ready and no core was free for it. */
const tellsCoreWaits = fs.existsSync('/proc/self/schedstat');

/**
 * A first line `// timeout: 240s` raises the limit of a file; `// own process: why` among the first three keeps it apart
 * from the others; so does `// waits: why` a file that sleeps, and `// alone: why` one that takes the time, or
 * `// alone where waits for a core are not told: why` one that can leave them out.
 */
function readFile(name: string): TestFile {
  const head = fs.readFileSync(name, 'utf8').split('\n', 3).join('\n');
  const seconds = /^\/\/ timeout: (\d+)s/.exec(head)?.[1];
  return {
    name,
    timeoutMs: seconds === undefined ? defaultTimeoutMs : Number(seconds) * 1000,
    ownProcess: /^\/\/ own process: \S/m.test(head),
    waits: /^\/\/ waits: \S/m.test(head),
    alone:
      /^\/\/ alone: \S/m.test(head) ||
      (!tellsCoreWaits && /^\/\/ alone where waits for a core are not told: \S/m.test(head)),
  };
}

/** Keeps how long files took, for the order of the next run. */
export function rememberDurations(latest: Durations): void {
  fs.mkdirSync(path.dirname(durationsFile), { recursive: true });
  fs.writeFileSync(durationsFile, JSON.stringify({ ...readDurations(), ...latest }, null, 1));
}

/** The file is a hint of an earlier run; a broken one is no hint. */
function readDurations(): Durations {
  try {
    return JSON.parse(fs.readFileSync(durationsFile, 'utf8')) as Durations;
  } catch {
    return {};
  }
}
