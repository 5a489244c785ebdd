// The shared guard: a student whose evidence is halted is left as he is by every consumer of statuses.
import type { PacReason } from './vocabulary.ts';

/** Enough of an evaluation, or of a stored row; the reason is null where a sub-skill was not assessed. */
export interface HaltEvidence {
  readonly pacReason: PacReason | null;
}

/**
 * True when a sub-skill in scope has too few items or conflicting evidence. NO_EVIDENCE leaves only that sub-skill
 * undecided, and a sub-skill never tried halts nobody. Consumers ask this, never whether a status is null.
 */
export const isHalted = (inScope: readonly HaltEvidence[]): boolean =>
  inScope.some(({ pacReason }) => pacReason === 'INSUFFICIENT_ITEMS' || pacReason === 'CONFLICTING_EVIDENCE');
