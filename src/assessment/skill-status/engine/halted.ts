// The halt check: every consumer of statuses skips a student with halted evidence.
import type { PacReason } from './vocabulary.ts';

/**
 * The part of an evaluation or stored row that the check reads; the reason is null for a sub-skill that was not
 * assessed.
 */
export interface HaltEvidence {
  readonly pacReason: PacReason | null;
}

/**
 * Returns whether a sub-skill in scope has too few items or conflicting evidence. NO_EVIDENCE leaves only that
 * sub-skill undecided, and an untried sub-skill halts no student. Consumers use this function and never test whether a
 * status is null.
 */
export const isHalted = (inScope: readonly HaltEvidence[]): boolean =>
  inScope.some(({ pacReason }) => pacReason === 'INSUFFICIENT_ITEMS' || pacReason === 'CONFLICTING_EVIDENCE');
