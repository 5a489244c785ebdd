// Why a request to a provider failed or its response cannot be used.

/**
 * `address`: the URL may not be requested. `certificate`: no trustworthy encrypted connection. `unavailable`: no response, a
 * truncated or slow one, or 5xx. `rate_limited`: too many requests. `protocol`: a response outside of the protocol.
 */
export type HttpProblem = 'address' | 'certificate' | 'unavailable' | 'rate_limited' | 'protocol';

interface FailureDetails {
  readonly retryAfter?: number;
  readonly seen?: string;
}

export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly problem: HttpProblem;
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
  /** What was received in place of a response of the protocol, for the person who sets the provider up. Holds no content. */
  readonly seen: string | undefined;

  constructor(problem: HttpProblem, message: string, { retryAfter, seen }: FailureDetails = {}) {
    super(message);
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.seen = seen;
  }
}

/** Maps the error of a connection by the error codes of sockets, resolvers, TLS and the HTTP parser. */
export function toHttpFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return addressNotAllowed();
  if (code.startsWith('HPE_')) return new HttpFailure('protocol', 'The provider does not speak HTTP as it is written.');
  if (/CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_/.test(code)) {
    return new HttpFailure('certificate', 'No trustworthy encrypted connection to the provider can be made.');
  }
  return new HttpFailure('unavailable', 'The provider cannot be reached at the moment.');
}

/**
 * The failure is the same for a name that leads to a closed address and for a name without an address, so that it does not
 * show which names exist in the network of the service.
 */
export const addressNotAllowed = () =>
  new HttpFailure('address', 'The address must be https and lead to a public address of the network.');
