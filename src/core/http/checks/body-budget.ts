// Bounds the bytes of request bodies that the process holds at once, however many callers there are.
import { type AppError, unavailable } from '../../platform/errors.ts';

const defaultBudgetBytes = 64 * 1024 * 1024;

export class BodyBudget {
  #freeBytes: number;

  constructor(totalBytes = defaultBudgetBytes) {
    this.#freeBytes = totalBytes;
  }

  /** Returns false, and takes nothing, if the budget does not allow the bytes. */
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
