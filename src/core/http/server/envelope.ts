// Turns every error into the error envelope, and discloses nothing that the caller may not know.
import type { Logger } from 'pino';
import { unwritable } from '../../platform/database-errors.ts';
import { isDatabaseDown } from '../../platform/db.ts';
import { AppError, type ErrorDetail, unavailable } from '../../platform/errors.ts';

export interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfter?: number;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly envelope: Envelope;
  readonly headers: Readonly<Record<string, string>>;
}

/** Logs an unexpected error and returns INTERNAL for it; an unreachable dependency becomes 503 with `retryAfter`. */
export function errorAnswer(error: unknown, log: Logger): ErrorAnswer {
  if (error instanceof AppError) return answerOf(error);
  if (isDatabaseDown(error)) {
    log.error({ err: error }, unwritable(error) === undefined ? 'database unreachable' : 'database takes no writes');
    return answerOf(unavailable());
  }
  log.error({ err: error }, 'unexpected error');
  return answerOf(new AppError('INTERNAL', 'Something went wrong on our side. The request id helps us find it.'));
}

function answerOf(error: AppError): ErrorAnswer {
  const { code, message, details, retryAfter } = error;
  return {
    status: error.status,
    envelope: { code, message, ...(details && { details }), ...(retryAfter !== undefined && { retryAfter }) },
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  };
}
