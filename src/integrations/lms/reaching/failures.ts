// Why a provider was not reached, or said nothing that can be used.

/**
 * `address`: not one that may be asked; `certificate`: no trustworthy encrypted connection; `unavailable`: no answer, a cut
 * or slow one, or 5xx; `rate_limited`: asked too often; `protocol`: an answer that the protocol does not know.
 */
export type ReachProblem = 'address' | 'certificate' | 'unavailable' | 'rate_limited' | 'protocol';

interface ReachDetails {
  readonly retryAfter?: number;
  readonly seen?: string;
}

export class ReachFailure extends Error {
  override readonly name = 'ReachFailure';
  readonly problem: ReachProblem;
  /** Whole seconds after which asking again may help. */
  readonly retryAfter: number | undefined;
  /** Of an answer that the protocol does not know, for whoever sets the provider up: nothing of what it holds. */
  readonly seen: string | undefined;

  constructor(problem: ReachProblem, message: string, { retryAfter, seen }: ReachDetails = {}) {
    super(message);
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.seen = seen;
  }
}

/** Of a connection that failed, by the codes of sockets, resolvers, TLS and the parser of HTTP. */
export function asReachFailure(error: unknown): ReachFailure {
  if (error instanceof ReachFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return addressNotAllowed();
  if (code.startsWith('HPE_'))
    return new ReachFailure('protocol', 'The provider does not speak HTTP as it is written.');
  if (/CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_/.test(code)) {
    return new ReachFailure('certificate', 'No trustworthy encrypted connection to the provider can be made.');
  }
  return new ReachFailure('unavailable', 'The provider cannot be reached at the moment.');
}

/** One answer for an address that is closed and for a name without one, so that no name inside can be told from none. */
export const addressNotAllowed = () =>
  new ReachFailure('address', 'The address must be https and lead to a public address of the network.');
