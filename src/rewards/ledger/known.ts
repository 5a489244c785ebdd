// A student's ledger as it stands, told from its mastery events by the rules that each is pinned to.
import type { Db, Trx } from '../../platform/db.ts';
import type { ActiveRules } from '../../rulesets/index.ts';
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { type RewardRules, rewardRules, rewardsDocument } from '../engine/rules.ts';
import type { LedgerState } from '../engine/state.ts';
import type { MasteryEventRow } from './rows.ts';

export interface LedgerOf {
  readonly organizationId: string;
  readonly studentId: number;
}

/** In the order of the ledger. */
export const masteryEventsOf = (trx: Trx, { organizationId, studentId }: LedgerOf): Promise<MasteryEventRow[]> =>
  trx('mastery_event').where({ organizationId, studentId }).orderBy('id');

/** Reads each version once. Throws ENGINE_UNAVAILABLE where one cannot be read. */
export async function pinnedRules(
  trx: Db | Trx,
  rules: Pick<ActiveRules, 'pinned'>,
  events: readonly Pick<MasteryEventRow, 'ruleVersion'>[],
): Promise<RulesOf> {
  const known = new Map<string, RewardRules>();
  for (const ruleVersion of new Set(events.map((event) => event.ruleVersion))) {
    const version = Number(ruleVersion.split('@')[1]);
    known.set(ruleVersion, rewardRules(await rules.pinned(trx, { [rewardsDocument]: version })));
  }
  return (ruleVersion) => {
    const found = known.get(ruleVersion);
    if (!found) throw new RangeError(`${ruleVersion} was not asked for`);
    return found;
  };
}

/** What was taken back does not matter here: a badge is held or was held. */
export async function ledgerState(
  trx: Trx,
  services: { readonly rules: Pick<ActiveRules, 'pinned'> },
  of: LedgerOf,
): Promise<LedgerState> {
  const events = await masteryEventsOf(trx, of);
  return deriveLedger(await pinnedRules(trx, services.rules, events), events);
}
