// A business clock that stands still until the test moves it.
import type { Clock } from '#core/platform/clock.ts';

/** A Thursday in the middle of a school year, 11:00 in Riyadh. */
const start = '2026-01-15T08:00:00.000Z';

export class ManualClock implements Clock {
  #nowMs: number;

  constructor(now: string | Date = start) {
    this.#nowMs = new Date(now).getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  set(now: string | Date): void {
    this.#nowMs = new Date(now).getTime();
  }

  advance(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }
}
