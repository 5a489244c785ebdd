// The single source of business time. Engines never read it: the time is passed to them as an argument.
import fs from 'node:fs';
import { dayMs } from './pure/dates/durations.ts';

export interface Clock {
  now(): Date;
}

/** How long an offset that was read is cached, in milliseconds of the machine's clock. */
const offsetMaxAgeMs = 100;

/** A larger offset is ignored: it would leave the years that a Date and a school year can represent. */
const maxOffsetMs = 100 * 366 * dayMs;

/**
 * Returns the machine's clock, plus the number of milliseconds in `offsetFile` if one is configured (negative allowed; missing,
 * empty, not a number or over a hundred years = 0), so that rules about time can be tested over HTTP.
 */
export function systemClock(offsetFile?: string): Clock {
  if (offsetFile === undefined) return { now: () => new Date() };
  let offsetMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const machineMs = Date.now();
      if (Math.abs(machineMs - readAt) >= offsetMaxAgeMs) {
        offsetMs = readOffsetMs(offsetFile);
        readAt = machineMs;
      }
      return new Date(machineMs + offsetMs);
    },
  };
}

function readOffsetMs(file: string): number {
  try {
    const value = Number(fs.readFileSync(file, 'utf8').trim());
    return Math.abs(value) <= maxOffsetMs ? value : 0;
  } catch {
    return 0;
  }
}
