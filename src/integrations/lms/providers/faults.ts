// How what went wrong with a provider is told to those who asked for a roster.

import type { RunError } from '../enums.ts';
import { ProviderFault } from '../provider.ts';
import { ReachFailure, type ReachProblem } from '../reaching/failures.ts';

/** The provider has taken back the right to read: the connection is to end. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused';
  readonly error: RefusalError;

  constructor(error: RefusalError, message: string) {
    super(message);
    this.error = error;
  }
}

export type RefusalError = Extract<RunError, 'provider_unauthorized' | 'provider_forbidden' | 'grant_revoked'>;

/** An address that stops leading outside, and a certificate that runs out, are mended at the provider. */
const errorOf: Readonly<Record<ReachProblem, RunError>> = {
  address: 'provider_unavailable',
  certificate: 'provider_unavailable',
  unavailable: 'provider_unavailable',
  rate_limited: 'provider_rate_limited',
  protocol: 'provider_protocol',
};

export const protocolFault = (message: string) => new ProviderFault('provider_protocol', message);

/** Leaves what is no failure of reaching as it is. */
export const asProviderFault = (error: unknown): unknown =>
  error instanceof ReachFailure ? new ProviderFault(errorOf[error.problem], error.message, error.retryAfter) : error;
