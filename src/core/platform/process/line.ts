// Work of which only a little may be under way at a time: who finds all seats taken waits a moment, or comes again.
import { unavailable } from '../errors.ts';

export interface LineSize {
  readonly seats: number;
  /** How many may wait for a seat… */
  readonly places: number;
  /** …and how long. */
  readonly patienceMs: number;
  /** What is said to who waited too long or finds no place to wait. */
  readonly busy: string;
}

export type Line = <T>(work: () => Promise<T>) => Promise<T>;

/** `work` runs on a seat. ENGINE_UNAVAILABLE, with retryAfter, for who waited too long or finds no place to wait. */
export function lineOf({ seats, places, patienceMs, busy }: LineSize): Line {
  let free = seats;
  const waiting: (() => void)[] = [];
  const seat = () =>
    new Promise<void>((resolve, reject) => {
      if (waiting.length >= places) return reject(unavailable(busy));
      const called = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(called), 1);
        reject(unavailable(busy));
      }, patienceMs);
      waiting.push(called);
    });
  return async (work) => {
    if (free > 0) free -= 1;
    else await seat();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
