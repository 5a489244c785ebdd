// Simulates what students would have earned in the last days by two rule versions.
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import type { Sides, SimulatedRecords } from '#rules/rulesets/index.ts';
import type { RewardRules } from '../engine/rules.ts';
import { hasHappenedSince, ledgerSince, type Simulated, simulateRewards } from '../engine/simulate.ts';
import { pinnedRules } from '../ledger/ledgers.ts';
import { ledgersAt } from '../replay/ledgers.ts';

export type RewardPair = Sides<RewardRules>;

export interface RewardedStudent {
  readonly studentId: number;
  readonly before: Simulated;
  readonly after: Simulated;
}

/**
 * Returns students who have grown since then, in the order of their ids. The ledger before is derived by the pinned
 * rules. Throws ENGINE_UNAVAILABLE when one of these cannot be read.
 */
export async function rewardedStudents(
  reading: ReadTransaction,
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  pair: RewardPair,
  of: SimulatedRecords,
): Promise<RewardedStudent[]> {
  const ledgers = await reading((trx) => ledgersAt(trx, of));
  const grown = ledgers.filter(({ events }) => events.some((event) => hasHappenedSince(event, of.since)));
  const pinned = await pinnedRules(
    db,
    rules,
    grown.flatMap(({ events }) => events),
  );
  return grown.map(({ studentId, events }) => {
    const ledger = ledgerSince(events, of.since, pinned);
    return { studentId, before: simulateRewards(pair.before, ledger), after: simulateRewards(pair.after, ledger) };
  });
}
