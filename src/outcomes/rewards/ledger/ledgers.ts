// Reads students' mastery events, and derives their ledgers by the rules that each event is pinned to.

import type { Db, Trx } from '#core/platform/db.ts';
import { anyOrganization, rowsOf } from '#core/platform/sql.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { deriveLedger, type RulesOf } from '../engine/derive.ts';
import { type RewardRules, rewardRules, rewardsDocument } from '../engine/rules.ts';
import type { LedgerState } from '../engine/state.ts';
import { MasteryEvent } from './models.ts';
import type { MasteryEventRow } from './rows.ts';

export interface LedgerOf {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Returns mastery events in ledger order. */
export const masteryEventsOf = (trx: Trx, { organizationId, studentId }: LedgerOf): Promise<MasteryEventRow[]> =>
  MasteryEvent.query(trx).where({ organizationId, studentId }).orderBy('id').execute();

/** Returns mastery events of several students in ledger order; an empty list for a student who was not requested. */
export async function masteryLedgersOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<(studentId: number) => readonly MasteryEventRow[]> {
  const events = await rowsOf<MasteryEventRow>(
    trx,
    `select e.* from unnest(:studentIds::bigint[]) as t (student_id)
     cross join lateral (select * from mastery_event e
       where e.organization_id = ${anyOrganization} and e.student_id = t.student_id order by e.id) e`,
    { organizationId, studentIds },
  );
  const ledgers = new Map<number, MasteryEventRow[]>(studentIds.map((id) => [id, []]));
  for (const event of events) ledgers.get(event.studentId)?.push(event);
  return (studentId) => ledgers.get(studentId) ?? [];
}

/** Reads each version once. Throws ENGINE_UNAVAILABLE when one cannot be read. */
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
    if (!found) throw new RangeError(`${ruleVersion} was not requested`);
    return found;
  };
}

/** Keyed by student. Rescinds are ignored: a rescinded badge is never awarded a second time. */
export async function ledgerStates(
  trx: Trx,
  services: { readonly rules: Pick<ActiveRules, 'pinned'> },
  organizationId: string,
  studentIds: readonly number[],
): Promise<Map<number, LedgerState>> {
  const ledgers = await masteryLedgersOf(trx, organizationId, studentIds);
  const rulesOf = await pinnedRules(trx, services.rules, studentIds.flatMap(ledgers));
  return new Map(studentIds.map((id) => [id, deriveLedger(rulesOf, ledgers(id))]));
}
