// Compares a student's ledgers, derived from the mastery events, with what was booked. Pure.
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { firstAvatarTier } from '../engine/enums.ts';
import { type Drift, driftBetween, inOrder, type LedgerSummary, summaryOf } from '../engine/growth/drift.ts';
import type { Ledger } from './ledgers.ts';

export interface Compared {
  readonly derived: LedgerSummary;
  readonly stored: LedgerSummary;
  readonly drift: Drift;
}

/** `codes` are all badge codes in catalogue order. */
export function compareLedger(ledger: Ledger, rulesOf: RulesOf, codes: readonly string[]): Compared {
  const derived = summaryOf(deriveLedger(rulesOf, ledger.events, ledger.rescinded), codes);
  const { xpBalance, badgeCodes, celebratedTier } = ledger;
  const stored = { xpBalance, badgeCodes: inOrder(badgeCodes, codes), avatarTier: celebratedTier ?? firstAvatarTier };
  return { derived, stored, drift: driftBetween(derived, stored) };
}
