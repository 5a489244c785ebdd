// Compares a student's ledgers, derived from the mastery events, with what was booked. Pure.
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { firstAvatarTier } from '../engine/enums.ts';
import {
  badgesInOrder,
  type Drift,
  driftBetween,
  type LedgerSummary,
  ledgerSummaryOf,
} from '../engine/growth/drift.ts';
import type { RewardLedger } from './ledgers.ts';

export interface ComparedLedgers {
  readonly derived: LedgerSummary;
  readonly stored: LedgerSummary;
  readonly drift: Drift;
}

/** `codes` are all badge codes in catalogue order. */
export function compareLedger(ledger: RewardLedger, rulesOf: RulesOf, codes: readonly string[]): ComparedLedgers {
  const derived = ledgerSummaryOf(deriveLedger(rulesOf, ledger.events, ledger.rescinded), codes);
  const { xpBalance, badgeCodes, celebratedTier } = ledger;
  const stored = {
    xpBalance,
    badgeCodes: badgesInOrder(badgeCodes, codes),
    avatarTier: celebratedTier ?? firstAvatarTier,
  };
  return { derived, stored, drift: driftBetween(derived, stored) };
}
