// The result of a test file, read from the output of uvu.

export interface Skipped {
  readonly what: string;
  readonly why: string;
}

export interface FileResult {
  readonly passed: number;
  readonly failed: number;
  /** What was skipped on this machine, and why. */
  readonly skipped: readonly Skipped[];
  readonly durationMs: number;
  readonly output: string;
  /** Why the file failed as a whole (crash, timeout, process that did not end); undefined if it did not. */
  readonly trouble: string | undefined;
}

/** How long a resource may stay open after the last test; a connection or timer that stays longer was forgotten. */
export const lingerMs = 10_000;
export const openResourcesMessage = 'did not end after its last test: something is still open';

export function totals(output: string): { total: number; passed: number } | undefined {
  const found = /^\s*Total:\s+(\d+)\s*\n\s*Passed:\s+(\d+)/m.exec(output);
  return found ? { total: Number(found[1]), passed: Number(found[2]) } : undefined;
}

/** Reads the lines of `tests/harness/needs.ts`. */
const skippedIn = (output: string): Skipped[] =>
  [...output.matchAll(/^SKIPPED (.+) \| (.+)$/gm)].map(([, what = '', why = '']) => ({ what, why }));

/**
 * A file that crashed, ran no test or ended with an error although every test passed counts as one failure. A file that reports
 * what it skipped, and why, counts as run.
 */
export function resultOf(output: string, exitCode: number | null, killed: string | undefined) {
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
