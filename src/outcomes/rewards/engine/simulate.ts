// Computes what the events of the last days would have earned by given rules, on top of the ledger before them. Pure.
import { awardFor } from './award.ts';
import { type RulesOf, withAward } from './derive.ts';
import type { MasteryFact, MasterySourceKind } from './enums.ts';
import type { RewardRules } from './rules.ts';
import { emptyLedger, type LedgerState } from './state.ts';

export interface SimulatedEvent {
  readonly id: number;
  readonly sourceKind: MasterySourceKind;
  /** 0 when the session cap was reached. */
  readonly credit: number;
}

export interface Simulated {
  /** Events of the simulated days, in ledger order. */
  readonly events: readonly SimulatedEvent[];
  /** Badge code → id of the event that earned it. */
  readonly badges: ReadonlyMap<string, number>;
  /** `streak_milestone 5`. */
  readonly celebrations: readonly string[];
  /** XP of these days, including badge bonuses. */
  readonly xp: number;
  readonly bonusXp: number;
  /** Tier after the newest event. */
  readonly avatarTier: number;
  /** Length of the streak after the newest event, in days. */
  readonly streak: number;
}

/** The ledger before the simulated days, and their events. */
export interface SimulatedLedger {
  readonly before: LedgerState;
  readonly events: readonly MasteryFact[];
}

/** `since`: ISO 8601 instant. */
export const hasHappenedSince = ({ occurredAt }: Pick<MasteryFact, 'occurredAt'>, since: string): boolean =>
  Date.parse(occurredAt) >= Date.parse(since);

/** Splits a ledger at `since`. `rulesOf` is called for earlier events only. */
export function ledgerSince(events: readonly MasteryFact[], since: string, rulesOf: RulesOf): SimulatedLedger {
  const from = events.findIndex((event) => hasHappenedSince(event, since));
  const earlier = from < 0 ? events : events.slice(0, from);
  const before = earlier.reduce(
    (state, event) => withAward(state, event, awardFor(rulesOf(event.ruleVersion), state, event)),
    emptyLedger,
  );
  return { before, events: events.slice(earlier.length) };
}

export function simulateRewards(rules: RewardRules, { before, events }: SimulatedLedger): Simulated {
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
