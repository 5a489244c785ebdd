// How many bytes of request bodies the process holds at once: a bound on memory that no number of callers can pass.
import { type AppError, unavailable } from '../../platform/errors.ts';

const defaultBudgetBytes = 64 * 1024 * 1024;

export class BodyBudget {
  #freeBytes: number;

  constructor(totalBytes = defaultBudgetBytes) {
    this.#freeBytes = totalBytes;
  }

  /** False: the bytes are not granted, and nothing is taken. */
  take(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false;
    this.#freeBytes -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#freeBytes += bytes;
  }
}

export const budgetSpent = (): AppError =>
  unavailable('Too much is being sent at the moment. Please try again in a moment.');
