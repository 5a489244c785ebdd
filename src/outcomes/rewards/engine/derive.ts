// A student's rewards, told again from the ledger of mastery events: replays, attestations and simulations ask it.
import { type Award, awardFor } from './award.ts';
import type { RewardRules } from './rules.ts';
import { emptyLedger, type LedgerState } from './state.ts';
import type { MasteryFact } from './vocabulary.ts';

export function withAward(before: LedgerState, event: MasteryFact, award: Award): LedgerState {
  const { credit, badge, streak, avatarTier } = award;
  return {
    events: before.events + 1,
    byKind: { ...before.byKind, [event.sourceKind]: (before.byKind[event.sourceKind] ?? 0) + 1 },
    creditedBySession: credit
      ? new Map(before.creditedBySession).set(
          event.sessionKey,
          (before.creditedBySession.get(event.sessionKey) ?? 0) + credit.amount,
        )
      : before.creditedBySession,
    awarded: badge
      ? new Map(before.awarded).set(badge.code, { ...badge, masteryEventId: event.id, isRescinded: false })
      : before.awarded,
    xpBalance: before.xpBalance + (credit?.amount ?? 0) + (badge?.bonusXp ?? 0),
    ...{ streak, avatarTier },
  };
}

/** What was booked is taken back. A badge that is not held changes nothing. */
function withRescind(before: LedgerState, code: string): LedgerState {
  const badge = before.awarded.get(code);
  if (badge === undefined || badge.isRescinded) return before;
  const awarded = new Map(before.awarded).set(code, { ...badge, isRescinded: true });
  return { ...before, awarded, xpBalance: before.xpBalance - badge.bonusXp };
}

/** Rules by the version that an event is pinned to. Throws for one that is not known. */
export type RulesOf = (ruleVersion: string) => RewardRules;

export interface AwardStep {
  readonly event: MasteryFact;
  readonly award: Award;
  readonly after: LedgerState;
}

/** One after the other, in the order of the ledger. */
export function* awardSteps(rulesOf: RulesOf, events: Iterable<MasteryFact>): Generator<AwardStep> {
  let state = emptyLedger;
  for (const event of events) {
    const award = awardFor(rulesOf(event.ruleVersion), state, event);
    state = withAward(state, event, award);
    yield { event, award, after: state };
  }
}

/** `events` in the order of the ledger; `rescinds` are codes of badges that were taken back. */
export function deriveLedger(
  rulesOf: RulesOf,
  events: Iterable<MasteryFact>,
  rescinds: Iterable<string> = [],
): LedgerState {
  let state = emptyLedger;
  for (const { after } of awardSteps(rulesOf, events)) state = after;
  for (const code of rescinds) state = withRescind(state, code);
  return state;
}
