// Business time has one source. Engines never see it: it comes in at the edge and goes on as an argument.
import fs from 'node:fs';
import { dayMs } from './pure/dates/durations.ts';

export interface Clock {
  now(): Date;
}

/** How long a value read from the offset file may be used, in milliseconds of the machine's clock. */
const offsetMaxAgeMs = 100;

/** A larger offset counts as none: it would lead out of the years that a Date and a school year can name. */
const mostOffsetMs = 100 * 366 * dayMs;

/**
 * The machine's clock, plus the number of milliseconds in `offsetFile` when one is configured (negative allowed;
 * missing, empty, not a number or over a hundred years = 0), so that time rules can be tried over HTTP.
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
    return Math.abs(value) <= mostOffsetMs ? value : 0;
  } catch {
    return 0;
  }
}
