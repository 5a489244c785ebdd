// Failed work that is retried with growing waits and parked after ten failures in a row. It is recorded on a row with the
// columns `last_error`, `attempts`, `next_try_at` and `parked_at`.
import { nativeError } from './database-errors.ts';
import { AppError } from './errors.ts';
import { parkedRetries } from './retries.ts';
import type { Bindings } from './sql.ts';

/** Assignments of an update that records a failure; needs `failureBindings`. */
export const failureColumns = `last_error = :lastError, attempts = attempts + 1,
  next_try_at = :now::timestamptz + least(:first * power(2, attempts), :longest) * interval '1 second',
  parked_at = case when attempts + 1 >= :tries then :now::timestamptz end`;

/** Assignments of an update that records success. */
export const notFailed = 'last_error = null, attempts = 0, next_try_at = null, parked_at = null';

/** SQL condition that a row of `alias` may be tried; `:now` is bound to the Clock's time. */
export const mayBeTried = (alias: string): string =>
  `${alias}.parked_at is null and (${alias}.next_try_at is null or ${alias}.next_try_at <= :now::timestamptz)`;

/** `lastError` must contain no personal data. */
export const failureBindings = (lastError: string, now: Date): Bindings => ({
  lastError,
  now: now.toISOString(),
  first: parkedRetries.firstWaitSeconds,
  longest: parkedRetries.longestWaitSeconds,
  tries: parkedRetries.attempts,
});

/** Returns whether the update has parked the row, by the attempts that it returned. */
export const isParked = ({ attempts }: { readonly attempts: number }): boolean => attempts >= parkedRetries.attempts;

/** Returns a name of the error without its message, which may contain values. */
export function errorName(thrown: unknown): string {
  const error = nativeError(thrown);
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return 'severity' in error && 'code' in error ? `database ${String(error.code)}` : error.name;
}
