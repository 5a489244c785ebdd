// Work that failed and waits to be tried again: later and later, and put aside after ten times in a row. It stands on a row
// with the columns `last_error`, `attempts`, `next_try_at` and `parked_at`.
import { nativeError } from './database-errors.ts';
import { AppError } from './errors.ts';
import type { Bindings } from './sql.ts';

/** The first wait; each further one is twice as long, up to the longest. */
const firstWaitSeconds = 10;
const longestWaitSeconds = 3_600;
const triesBeforeParking = 10;

/** For the `set` of an update, with `failureBindings`. */
export const failureColumns = `last_error = :lastError, attempts = attempts + 1,
  next_try_at = :now::timestamptz + least(:first * power(2, attempts), :longest) * interval '1 second',
  parked_at = case when attempts + 1 >= :tries then :now::timestamptz end`;

/** For the `set` of an update: the work is done, or is to be tried anew. */
export const notFailed = 'last_error = null, attempts = 0, next_try_at = null, parked_at = null';

/** `lastError` may hold nothing of a person. */
export const failureBindings = (lastError: string, now: Date): Bindings => ({
  ...{ lastError, now: now.toISOString() },
  ...{ first: firstWaitSeconds, longest: longestWaitSeconds, tries: triesBeforeParking },
});

/** By the attempts that the update has left. */
export const isParked = ({ attempts }: { readonly attempts: number }): boolean => attempts >= triesBeforeParking;

/** Texts of errors hold values: only what names one is kept. */
export function errorName(thrown: unknown): string {
  const error = nativeError(thrown);
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return 'severity' in error && 'code' in error ? `database ${String(error.code)}` : error.name;
}
