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

/** The school year of today, for tests that start a whole service, whose clock is the machine's. */
export function schoolYearOfToday(): string {
  const now = new Date();
  const first = now.getUTCMonth() >= 7 ? now.getUTCFullYear() : now.getUTCFullYear() - 1;
  return `${first}-${first + 1}`;
}
