// Whether what was booked of a student is what follows from the mastery events.
import type { LedgerState } from '../state.ts';

export interface LedgerSummary {
  readonly xpBalance: number;
  /** Held and not taken back. */
  readonly badgeCodes: readonly string[];
  readonly avatarTier: number;
}

export interface Drift {
  readonly xpBalance: boolean;
  readonly badges: boolean;
  readonly avatarTier: boolean;
}

/** `codes`: of all badges, in the order in which they are told; one that is not among them comes last. */
export function inOrder(held: readonly string[], codes: readonly string[]): string[] {
  const placeOf = (code: string) => (codes.includes(code) ? codes.indexOf(code) : codes.length);
  return held.toSorted((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
}

export const summaryOf = (
  { xpBalance, awarded, avatarTier }: LedgerState,
  codes: readonly string[],
): LedgerSummary => ({
  xpBalance,
  badgeCodes: inOrder(
    [...awarded.values()].flatMap((badge) => (badge.isRescinded ? [] : [badge.code])),
    codes,
  ),
  avatarTier,
});

/** Both with their badges in one order. */
export const driftBetween = (derived: LedgerSummary, stored: LedgerSummary): Drift => ({
  xpBalance: derived.xpBalance !== stored.xpBalance,
  badges: derived.badgeCodes.join() !== stored.badgeCodes.join(),
  avatarTier: derived.avatarTier !== stored.avatarTier,
});

export const hasDrift = ({ xpBalance, badges, avatarTier }: Drift): boolean => xpBalance || badges || avatarTier;
