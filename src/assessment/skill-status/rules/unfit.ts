// Recognizes the errors of an engine whose rules and evidence do not fit each other. All other errors are faults of the
// program or the infrastructure.

import { conflict } from '#core/platform/errors.ts';
import { BundleError, FactError, NoDecisionError } from '#rules/rulesets/index.ts';
import { EvidenceError } from '../../measurement/index.ts';

const refusals = [BundleError, FactError, NoDecisionError, EvidenceError, RangeError];

export const isUnfit = (error: unknown): error is Error =>
  error instanceof Error && refusals.some((kind) => error instanceof kind);

/** Throws CONFLICT `not_usable` when texts fail on stored evidence, since a retry would not help. */
export function refusingUnfit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isUnfit(error)) throw error;
    throw conflict('not_usable', 'The change does not decide all of the stored evidence.', 'changeId');
  }
}
