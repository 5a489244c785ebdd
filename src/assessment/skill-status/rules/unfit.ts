// Errors with which an engine refuses: its rules and the evidence do not fit each other. Anything else is a fault of ours
// or of the machinery.

import { BundleError, FactError, NoDecisionError } from '#rules/rulesets/index.ts';
import { EvidenceError } from '../../measurement/index.ts';

const refusals = [BundleError, FactError, NoDecisionError, EvidenceError, RangeError];

export const isUnfit = (error: unknown): error is Error =>
  error instanceof Error && refusals.some((kind) => error instanceof kind);
