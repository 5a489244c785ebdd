// Compares what was booked for a student with what follows from the mastery events.
import type { LedgerState } from '../state.ts';

export interface LedgerSummary {
  readonly xpBalance: number;
  /** Badges that are held and not rescinded. */
  readonly badgeCodes: readonly string[];
  readonly avatarTier: number;
}

export interface Drift {
  readonly xpBalance: boolean;
  readonly badges: boolean;
  readonly avatarTier: boolean;
}

/** Sorts badge codes by the order of `codes`; unknown codes come last. */
export function badgesInOrder(held: readonly string[], codes: readonly string[]): string[] {
  const rankOf = (code: string) => (codes.includes(code) ? codes.indexOf(code) : codes.length);
  return held.toSorted((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
}

export const ledgerSummaryOf = (
  { xpBalance, awarded, avatarTier }: LedgerState,
  codes: readonly string[],
): LedgerSummary => ({
  xpBalance,
  badgeCodes: badgesInOrder(
    [...awarded.values()].flatMap((badge) => (badge.isRescinded ? [] : [badge.code])),
    codes,
  ),
  avatarTier,
});

/** Both summaries have their badges in the same order. */
export const driftBetween = (derived: LedgerSummary, stored: LedgerSummary): Drift => ({
  xpBalance: derived.xpBalance !== stored.xpBalance,
  badges: derived.badgeCodes.join() !== stored.badgeCodes.join(),
  avatarTier: derived.avatarTier !== stored.avatarTier,
});

export const hasDrift = ({ xpBalance, badges, avatarTier }: Drift): boolean => xpBalance || badges || avatarTier;
