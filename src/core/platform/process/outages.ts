// A store that is away fails everything that asks it, many times a second. One line every few seconds says so; the
// others are counted.
import { isDatabaseDown } from '../db.ts';

const everyMs = 5_000;
const redisErrors = /Connection is closed|Stream isn't writeable|no answer in time|MaxRetriesPerRequest/;

export function isStoreDown(error: unknown): boolean {
  return isDatabaseDown(error) || (error instanceof Error && redisErrors.test(`${error.name} ${error.message}`));
}

/** Answers how many lines of this name were held back since the last one, or undefined to hold this one back too. */
export function outageLines(nowMs: () => number): (name: string) => number | undefined {
  const lines = new Map<string, { saidAtMs: number; suppressed: number }>();
  return (name) => {
    const line = lines.get(name);
    if (line && nowMs() - line.saidAtMs < everyMs) {
      line.suppressed += 1;
      return undefined;
    }
    lines.set(name, { saidAtMs: nowMs(), suppressed: 0 });
    return line?.suppressed ?? 0;
  };
}
