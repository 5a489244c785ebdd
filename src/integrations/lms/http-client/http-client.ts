// The HTTP client for learning platforms: sessions with guarded addresses, retries and a time limit.
import http from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import { type AddressGuard, createAddressGuard, type ResolveHost } from './address-guard.ts';
import { HttpFailure } from './failures.ts';
import { maxAttempts, parseRetryAfter, retryDelayMs } from './retries.ts';
import { type HttpConnection, type HttpRequest, type HttpResponse, sendRequest } from './send-request.ts';

export interface HttpClientOptions {
  readonly trustedHosts: ReadonlySet<string>;
  /** The time limit of one request, until its response is read. */
  readonly timeoutMs: number;
  /** Certificates, as PEM, that are trusted in addition to the usual ones. */
  readonly ca?: string;
  readonly resolve?: ResolveHost;
  /** Returns a number from 0 to below 1. */
  readonly random?: () => number;
  /** The time limit of `runSignal`. Default: ten minutes of the machine's clock. */
  readonly runTimeoutMs?: number;
  /** Waits before a retry; ends early when the signal is raised. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface SessionOptions {
  /** The time limit of the whole session, when a caller waits for it. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The operator has configured the address: it is requested wherever it leads. */
  readonly isOperatorAddress?: boolean;
}

/** Whether a response means too many requests, as 429 does. */
export type IsRateLimited = (response: HttpResponse) => boolean;

export interface RequestOptions {
  readonly isRateLimited?: IsRateLimited | undefined;
  /** Attempts of the same request so far; they count towards `maxAttempts`. */
  readonly attemptsBefore?: number;
}

export interface AttemptedResponse extends HttpResponse {
  /** How often the request was attempted, `attemptsBefore` included. */
  readonly attempts: number;
}

export interface HttpSession {
  /** Returns the response, whatever its status, except 429 and statuses from 500 on. Throws HttpFailure. */
  request(request: HttpRequest, options?: RequestOptions): Promise<AttemptedResponse>;
  /** Ends the requests under way and closes all connections. */
  close(): void;
}

export interface HttpClient {
  /** Throws HttpFailure `address` for a URL that may not be requested. */
  check(url: URL): void;
  openSession(options?: SessionOptions): HttpSession;
  /** Returns a signal that is raised when `stop` is, or when a run that begins now has used up its time. */
  runSignal(stop?: AbortSignal): AbortSignal;
}

const defaultRunTimeoutMs = 10 * minuteMs;

/** How long a caller of the API waits for a provider. */
export const callerTimeoutMs = 20_000;

const noGuard: AddressGuard = { check: () => {}, lookupFor: () => undefined };

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const guard = createAddressGuard(options.trustedHosts, options.resolve);
  return {
    check: guard.check,
    runSignal: (stop) => startDeadline(options.runTimeoutMs ?? defaultRunTimeoutMs, stop, { isUnref: true }).signal,
    openSession: ({ timeoutMs, signal, isOperatorAddress } = {}) => {
      const connection: HttpConnection = {
        guard: isOperatorAddress ? noGuard : guard,
        httpAgent: new http.Agent({ keepAlive: true, maxSockets: 1 }),
        httpsAgent: new https.Agent({
          keepAlive: true,
          maxSockets: 1,
          ...(options.ca && { ca: [...rootCertificates, options.ca] }),
        }),
        timeoutMs: options.timeoutMs,
      };
      return sessionOver(connection, options, startDeadline(timeoutMs, signal));
    },
  };
}

interface Deadline {
  readonly signal: AbortSignal;
  /** On the monotonic clock of the machine, in milliseconds. */
  readonly atMs: number;
  /** Raises the signal and clears the timer. */
  end(): void;
}

/**
 * The timer and the listener hold the controller. Node 20 may collect the signals of AbortSignal.timeout() and
 * AbortSignal.any() before they are raised, and a session would never end.
 */
function startDeadline(
  ms: number | undefined,
  outer: AbortSignal | undefined,
  { isUnref = false }: { readonly isUnref?: boolean } = {},
): Deadline {
  const controller = new AbortController();
  const end = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', end);
    controller.abort();
  };
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  if (isUnref) timer?.unref();
  outer?.addEventListener('abort', end, { once: true });
  if (outer?.aborted) end();
  const atMs = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms;
  return { signal: controller.signal, atMs, end };
}

function sessionOver(
  connection: HttpConnection,
  { random = Math.random, pause = defaultPause }: HttpClientOptions,
  deadline: Deadline,
): HttpSession {
  return {
    async request(request, { isRateLimited = () => false, attemptsBefore = 0 } = {}) {
      for (let attempts = attemptsBefore + 1; ; attempts++) {
        const outcome = await attempt(connection, request, isRateLimited, deadline.signal);
        if ('response' in outcome) return { ...outcome.response, attempts };
        if (deadline.signal.aborted) {
          throw new HttpFailure('unavailable', 'The conversation with the provider has ended.');
        }
        if (attempts >= maxAttempts) throw outcome.failure;
        const ms = retryDelayMs(attempts, random(), outcome.retryAfterMs);
        // A caller hears at once that the next attempt would come after the deadline.
        if (performance.now() + ms >= deadline.atMs) throw outcome.failure;
        await pause(ms, deadline.signal);
      }
    },
    close() {
      deadline.end();
      connection.httpAgent.destroy();
      connection.httpsAgent.destroy();
    },
  };
}

type Outcome =
  | { readonly response: HttpResponse }
  | { readonly failure: HttpFailure; readonly retryAfterMs: number | undefined };

/** Throws the failures that a retry cannot mend. */
async function attempt(
  connection: HttpConnection,
  request: HttpRequest,
  isRateLimited: IsRateLimited,
  signal: AbortSignal,
): Promise<Outcome> {
  let response: HttpResponse;
  try {
    response = await sendRequest(connection, request, signal);
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.problem !== 'unavailable') throw error;
    return { failure: failureWithWait('unavailable', error.message), retryAfterMs: undefined };
  }
  const isTooOften = response.status === 429 || isRateLimited(response);
  if (response.status < 500 && !isTooOften) return { response };
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], response.headers.date, Date.now());
  const failure = isTooOften
    ? failureWithWait('rate_limited', 'The provider is asked too often at the moment.', retryAfterMs)
    : failureWithWait('unavailable', 'The provider is in trouble at the moment.', retryAfterMs);
  return { failure, retryAfterMs };
}

const defaultWaitMs = 5_000;

const failureWithWait = (problem: 'unavailable' | 'rate_limited', message: string, waitMs = defaultWaitMs) =>
  new HttpFailure(problem, message, { retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) });

function defaultPause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
