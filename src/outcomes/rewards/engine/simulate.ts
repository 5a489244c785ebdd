// What the events of the last days would have brought under some rules, after a ledger that stands as it is. Pure.
import { awardFor } from './award.ts';
import { type RulesOf, withAward } from './derive.ts';
import type { RewardRules } from './rules.ts';
import { emptyLedger, type LedgerState } from './state.ts';
import type { MasteryFact, MasterySourceKind } from './vocabulary.ts';

export interface SimulatedEvent {
  readonly id: number;
  readonly sourceKind: MasterySourceKind;
  /** 0 where the session is full. */
  readonly credit: number;
}

export interface Simulated {
  /** Of the days that are looked at, in the order of the ledger. */
  readonly events: readonly SimulatedEvent[];
  /** Code → id of the event that it comes with. */
  readonly badges: ReadonlyMap<string, number>;
  /** `streak_milestone 5`. */
  readonly celebrations: readonly string[];
  /** Of these days, with what badges bring. */
  readonly xp: number;
  readonly bonusXp: number;
  /** After the newest event. */
  readonly avatarTier: number;
  /** Days of the run that the newest event belongs to. */
  readonly streak: number;
}

/** What lies before some days, and these. */
export interface SimulatedLedger {
  readonly before: LedgerState;
  readonly events: readonly MasteryFact[];
}

/** `since`: ISO 8601 instant. */
export const hasHappenedSince = ({ occurredAt }: Pick<MasteryFact, 'occurredAt'>, since: string): boolean =>
  Date.parse(occurredAt) >= Date.parse(since);

/** `rulesOf` is asked about earlier events alone. */
export function ledgerSince(events: readonly MasteryFact[], since: string, rulesOf: RulesOf): SimulatedLedger {
  const from = events.findIndex((event) => hasHappenedSince(event, since));
  const earlier = from < 0 ? events : events.slice(0, from);
  const before = earlier.reduce(
    (state, event) => withAward(state, event, awardFor(rulesOf(event.ruleVersion), state, event)),
    emptyLedger,
  );
  return { before, events: events.slice(earlier.length) };
}

export function simulate(rules: RewardRules, { before, events }: SimulatedLedger): Simulated {
  let state = before;
  const simulated: SimulatedEvent[] = [];
  const badges = new Map<string, number>();
  const celebrations: string[] = [];
  for (const event of events) {
    const award = awardFor(rules, state, event);
    state = withAward(state, event, award);
    simulated.push({ id: event.id, sourceKind: event.sourceKind, credit: award.credit?.amount ?? 0 });
    if (award.badge) badges.set(award.badge.code, event.id);
    celebrations.push(...award.celebrations.map(({ kind, value }) => `${kind} ${value}`));
  }
  const xp = state.xpBalance - before.xpBalance;
  const credited = simulated.reduce((sum, { credit }) => sum + credit, 0);
  return {
    ...{ events: simulated, badges, celebrations, xp, bonusXp: xp - credited },
    ...{ avatarTier: state.avatarTier, streak: state.streak.current },
  };
}
