// A student's ledgers derived again from the mastery events, beside what was booked. Nothing is read here.
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { type Drift, driftBetween, inOrder, type LedgerSummary, summaryOf } from '../engine/growth/drift.ts';
import { firstAvatarTier } from '../engine/vocabulary.ts';
import type { Ledger } from './ledgers.ts';

export interface Compared {
  readonly derived: LedgerSummary;
  readonly stored: LedgerSummary;
  readonly drift: Drift;
}

/** `codes`: of all badges, in the order of the catalogue. */
export function compareLedger(ledger: Ledger, rulesOf: RulesOf, codes: readonly string[]): Compared {
  const derived = summaryOf(deriveLedger(rulesOf, ledger.events, ledger.rescinded), codes);
  const { xpBalance, badgeCodes, celebratedTier } = ledger;
  const stored = { xpBalance, badgeCodes: inOrder(badgeCodes, codes), avatarTier: celebratedTier ?? firstAvatarTier };
  return { derived, stored, drift: driftBetween(derived, stored) };
}
