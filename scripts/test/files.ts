// Finds the test files of a run and their order: the slowest first, so that parallel jobs end together.
import fs from 'node:fs';
import path from 'node:path';

export interface TestFile {
  /** The path from the repository's root, with forward slashes. */
  readonly name: string;
  readonly timeoutMs: number;
  /** Runs in a process of its own. */
  readonly ownProcess: boolean;
  /** Most of its time is waiting for limits of the service, so it runs beside files that compute. */
  readonly waits: boolean;
  /** It measures what the service promises on an idle machine, so it runs after all others. */
  readonly alone: boolean;
}

type Durations = Record<string, number>;

const durationsFile = '.tmp/test-durations.json';
const defaultTimeoutMs = 120_000;
/** The expected duration of a new file with a timeout of its own is this share of the timeout, … */
const shareOfLimit = 0.1;
/** … else one millisecond per this many bytes. */
const bytesPerMs = 10;

/** Returns the test files whose name contains one of `filters` (all if there are none), slowest first. */
export function findTestFiles(filters: readonly string[]): TestFile[] {
  const durations = readDurations();
  const expectedMs = ({ name, timeoutMs }: TestFile) => durations[name] ?? estimatedMs(name, timeoutMs);
  return fs
    .readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('tests', name.replaceAll(path.sep, '/')))
    .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
    .map(readFile)
    .sort((a, b) => expectedMs(b) - expectedMs(a));
}

const estimatedMs = (name: string, timeoutMs: number) =>
  timeoutMs > defaultTimeoutMs ? timeoutMs * shareOfLimit : fs.statSync(name).size / bytesPerMs;

/** Linux reports how long a thread was runnable without a free core. */
const reportsCoreWaits = fs.existsSync('/proc/self/schedstat');

/**
 * Reads the directives of a file from its first three lines: `// timeout: 240s` raises its timeout (first line only); `// own
 * process: why` gives it a process of its own; `// waits: why` marks one that sleeps; `// alone: why` one that measures time,
 * and `// alone where waits for a core are not reported: why` one that can subtract waits for a core.
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
      (!reportsCoreWaits && /^\/\/ alone where waits for a core are not reported: \S/m.test(head)),
  };
}

/** Stores the durations of files, for the order of the next run. */
export function rememberDurations(latest: Durations): void {
  fs.mkdirSync(path.dirname(durationsFile), { recursive: true });
  fs.writeFileSync(durationsFile, JSON.stringify({ ...readDurations(), ...latest }, null, 1));
}

/** Returns the durations of earlier runs; none if the file is missing or broken. */
function readDurations(): Durations {
  try {
    return JSON.parse(fs.readFileSync(durationsFile, 'utf8')) as Durations;
  } catch {
    return {};
  }
}
