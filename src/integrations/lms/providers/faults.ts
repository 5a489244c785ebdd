// How failures of a provider are reported to the callers who have requested a roster.
import type { RunError } from '../enums.ts';
import { HttpFailure, type HttpProblem } from '../http-client/failures.ts';
import { ProviderFault } from '../provider.ts';

/** The provider has withdrawn the right to read: the connection is to be revoked. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused';
  readonly error: RefusalError;

  constructor(error: RefusalError, message: string) {
    super(message);
    this.error = error;
  }
}

export type RefusalError = Extract<RunError, 'provider_unauthorized' | 'provider_forbidden' | 'grant_revoked'>;

/** An address that is no longer public and an expired certificate are corrected by the provider, so they count as an outage. */
const errorOf: Readonly<Record<HttpProblem, RunError>> = {
  address: 'provider_unavailable',
  certificate: 'provider_unavailable',
  unavailable: 'provider_unavailable',
  rate_limited: 'provider_rate_limited',
  protocol: 'provider_protocol',
};

export const protocolFault = (message: string) => new ProviderFault('provider_protocol', message);

/** Returns errors other than HttpFailure unchanged. */
export const toProviderFault = (error: unknown): unknown =>
  error instanceof HttpFailure ? new ProviderFault(errorOf[error.problem], error.message, error.retryAfter) : error;
