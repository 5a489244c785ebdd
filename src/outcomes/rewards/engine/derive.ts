// Derives a student's rewards from the ledger of mastery events, for replays, attestations and simulations.
import { type Award, awardFor } from './award.ts';
import type { MasteryFact } from './enums.ts';
import type { RewardRules } from './rules.ts';
import { emptyLedger, type LedgerState } from './state.ts';

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

/** Removes the booked bonus of a badge. Does nothing when the badge is not held. */
function withRescind(before: LedgerState, code: string): LedgerState {
  const badge = before.awarded.get(code);
  if (badge === undefined || badge.isRescinded) return before;
  const awarded = new Map(before.awarded).set(code, { ...badge, isRescinded: true });
  return { ...before, awarded, xpBalance: before.xpBalance - badge.bonusXp };
}

/** Returns the rules that an event is pinned to. Throws for an unknown version. */
export type RulesOf = (ruleVersion: string) => RewardRules;

export interface AwardStep {
  readonly event: MasteryFact;
  readonly award: Award;
  readonly after: LedgerState;
}

/** Yields the award of each event, in ledger order. */
export function* awardSteps(rulesOf: RulesOf, events: Iterable<MasteryFact>): Generator<AwardStep> {
  let state = emptyLedger;
  for (const event of events) {
    const award = awardFor(rulesOf(event.ruleVersion), state, event);
    state = withAward(state, event, award);
    yield { event, award, after: state };
  }
}

/** Returns the state after all events. `events` are in ledger order; `rescinds` are codes of rescinded badges. */
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
