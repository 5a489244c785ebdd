// The closed list of error codes, and the error class that carries them to the response.

/** Stable error codes with their HTTP statuses. */
export const errorStatus = {
  INVALID_CREDENTIALS: 401,
  TOKEN_MISSING: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  SESSION_REVOKED: 401,
  BRUTE_FORCE_LOCKED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  QUICKCODE_INVALID_OR_EXPIRED: 401,
  QUICKCODE_RATE_LIMIT: 401,
  STATE_EXPIRED: 401,
  PERMISSION_DENIED: 403,
  DEMO_READ_ONLY: 403,
  CONTEXT_FLAG_BLOCKED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  EMAIL_EXISTS: 409,
  CONFLICT: 409,
  CLUSTER_STALE: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_ERROR: 422,
  context_flag_blocked: 422,
  MEMBER_ADJUSTMENTS_NOT_SUPPORTED: 422,
  EXCLUDED_MEMBER: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  TEASER_UNAVAILABLE: 503,
  ENGINE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** `field` is a dotted path such as `responses.3.itemId`; `issue` is short English or a value of an enum. */
export interface ErrorDetail {
  readonly field: string;
  readonly issue: string;
  /** Values by name, never what the caller sent. `until`: ISO 8601, when the refusal ends. */
  readonly args?: { readonly until: string };
}

export interface ErrorExtras {
  readonly details?: readonly ErrorDetail[];
  /** Whole seconds; also sent as the `Retry-After` header. */
  readonly retryAfter?: number;
  /** A status other than the code's, where the contract requires one. */
  readonly status?: 400;
}

/** A response that is not a success. `message` is sent to the caller: it helps and discloses nothing. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.status = extras.status ?? errorStatus[code];
    this.details = extras.details;
    this.retryAfter = extras.retryAfter;
  }
}

/** One response for a missing row, a malformed id and a row of another organization, so that they cannot be distinguished. */
export const notFound = () => new AppError('NOT_FOUND', 'There is nothing here that you can reach.');

export const denied = (message = 'Your role does not allow this.') => new AppError('PERMISSION_DENIED', message);

/** `issue` is the value on which clients branch (as `details[0].issue`). */
export const conflict = (issue: string, message: string, field = '') =>
  new AppError('CONFLICT', message, { details: [{ field, issue }] });

export const invalid = (field: string, issue: string, message = 'The request is not valid; see details.') =>
  new AppError('VALIDATION_ERROR', message, { details: [{ field, issue }] });

/** For the few operations that respond to an invalid body with 400. */
export const badBody = (field: string, issue: string) => asBadBody(invalid(field, issue));

export const asBadBody = ({ code, message, details = [] }: AppError) =>
  new AppError(code, message, { details, status: 400 });

export const unavailable = (message = 'This part of the service is not available at the moment. Please try again.') =>
  new AppError('ENGINE_UNAVAILABLE', message, { retryAfter: 5 });
