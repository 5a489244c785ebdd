// Work that failed and waits to be tried again: later and later, and parked after ten failures in a row. It stands on a row
// with the columns `last_error`, `attempts`, `next_try_at` and `parked_at`.
import { nativeError } from './database-errors.ts';
import { AppError } from './errors.ts';
import { parkedRetries } from './retries.ts';
import type { Bindings } from './sql.ts';

/** For the `set` of an update, with `failureBindings`. */
export const failureColumns = `last_error = :lastError, attempts = attempts + 1,
  next_try_at = :now::timestamptz + least(:first * power(2, attempts), :longest) * interval '1 second',
  parked_at = case when attempts + 1 >= :tries then :now::timestamptz end`;

/** For the `set` of an update: the work is done. */
export const notFailed = 'last_error = null, attempts = 0, next_try_at = null, parked_at = null';

/** Whether a row of `alias` may be tried; `:now` is bound to the Clock's moment. */
export const mayBeTried = (alias: string): string =>
  `${alias}.parked_at is null and (${alias}.next_try_at is null or ${alias}.next_try_at <= :now::timestamptz)`;

/** `lastError` may hold nothing of a person. */
export const failureBindings = (lastError: string, now: Date): Bindings => ({
  ...{ lastError, now: now.toISOString() },
  ...{
    first: parkedRetries.firstWaitSeconds,
    longest: parkedRetries.longestWaitSeconds,
    tries: parkedRetries.attempts,
  },
});

/** By the attempts that the update has left. */
export const isParked = ({ attempts }: { readonly attempts: number }): boolean => attempts >= parkedRetries.attempts;

/** Texts of errors hold values: only what names one is kept. */
export function errorName(thrown: unknown): string {
  const error = nativeError(thrown);
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return typeof error;
  return 'severity' in error && 'code' in error ? `database ${String(error.code)}` : error.name;
}
