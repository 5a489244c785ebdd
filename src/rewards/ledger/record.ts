// The one door through which growth comes into the ledgers: an event that is really new brings, in this order and in the same
// transaction, XP, a tick of the streak, a tier of the avatar and at most one badge (60 §1).
import { schoolCalendar } from '../../interventions/index.ts';
import { lockStudents, Organization } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { localDate } from '../../platform/pure/dates/calendar.ts';
import type { ActiveRules } from '../../rulesets/index.ts';
import { awardFor } from '../engine/award.ts';
import { withAward } from '../engine/derive.ts';
import { type RewardRules, rewardRules } from '../engine/rules.ts';
import type { LedgerState } from '../engine/state.ts';
import { missedSchoolDays } from '../engine/streak.ts';
import { bookAward, insertEvent } from './insert.ts';
import { type LedgerOf, ledgerState } from './known.ts';
import type { MasteryEventRow } from './rows.ts';

/** What somebody has grown by, before it is known whether it is new. */
export type Growth = Pick<
  MasteryEventRow,
  | 'sourceKind'
  | 'naturalKey'
  | 'sourceType'
  | 'sourceId'
  | 'schoolYear'
  | 'subSkillCode'
  | 'domainCode'
  | 'reached'
  | 'sessionKey'
  | 'occurredAt'
>;

/**
 * In the order in which they are given. Answers how many were new. Throws NOT_FOUND for a student who was erased, and
 * ENGINE_UNAVAILABLE without rules.
 */
export async function recordMastery(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  of: LedgerOf & { readonly now: Date },
  growths: readonly Growth[],
): Promise<number> {
  if (growths.length === 0) return 0;
  await lockStudents(trx, of.organizationId, [of.studentId]);
  const rules = rewardRules((await services.rules.at(trx, of.now)).rules);
  const days = await daysOf(trx, of.organizationId);
  let state = await ledgerState(trx, services, of);
  let recorded = 0;
  for (const growth of growths) {
    const after = await record(trx, { ...of, rules, days, state }, growth);
    if (after === undefined) continue;
    state = after;
    recorded += 1;
  }
  return recorded;
}

type Days = Awaited<ReturnType<typeof daysOf>>;

/** The organization's: the growth of a child does not depend on which of its schools the child is at. */
async function daysOf(trx: Trx, organizationId: string) {
  const { timeZone, weekend, holidays } = await Organization.query(trx).findById(organizationId).throwIfNotFound();
  return {
    calendar: schoolCalendar(weekend, holidays),
    dateOf: (instant: string) => localDate(new Date(instant), timeZone),
  };
}

interface Recording extends LedgerOf {
  readonly now: Date;
  readonly rules: RewardRules;
  readonly days: Days;
  readonly state: LedgerState;
}

/** The ledger after it; undefined for an event that is there already. */
async function record(trx: Trx, recording: Recording, growth: Growth): Promise<LedgerState | undefined> {
  const { organizationId, studentId, now, rules, days, state } = recording;
  const date = days.dateOf(growth.occurredAt);
  const missed = missedSchoolDays(days.calendar, state.streak.lastTickDate, date);
  const event = await insertEvent(trx, {
    ...{ organizationId, studentId, ...growth },
    ...{ localDate: date, missedSchoolDays: missed },
    ...{ recordedAt: now.toISOString(), ruleVersion: rules.ruleVersion },
  });
  if (event === undefined) return undefined;
  const award = awardFor(rules, state, event);
  await bookAward(trx, event, award);
  return withAward(state, event, award);
}
