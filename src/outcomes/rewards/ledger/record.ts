// The one door through which growth comes into the ledgers: an event that is really new brings, in this order and in the same
// transaction, XP, a tick of the streak, a tier of the avatar and at most one badge (60 §1).

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { lockStudents, Organization } from '#identity/people/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { schoolCalendar } from '#support/interventions/index.ts';
import { awardFor } from '../engine/award.ts';
import { withAward } from '../engine/derive.ts';
import { type RewardRules, rewardRules } from '../engine/rules.ts';
import { emptyLedger, type LedgerState } from '../engine/state.ts';
import { missedSchoolDays } from '../engine/streak.ts';
import { type AwardedEvent, bookAwards, insertEvents, type NewEvent } from './insert.ts';
import { ledgerStates } from './known.ts';
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

export interface StudentGrowth {
  readonly studentId: number;
  readonly growths: readonly Growth[];
}

interface Recorded {
  readonly organizationId: string;
  readonly now: Date;
}

/**
 * Of each student in the order in which it is given; each student stands in the list once. Answers how many were new. The
 * number of statements is that of one student's growth, however many there are. Throws NOT_FOUND for a student who was
 * erased, and ENGINE_UNAVAILABLE without rules.
 */
export async function recordMastery(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  { organizationId, now }: Recorded,
  students: readonly StudentGrowth[],
): Promise<number> {
  const grown = students.filter(({ growths }) => growths.length > 0);
  if (grown.length === 0) return 0;
  const studentIds = grown.map(({ studentId }) => studentId);
  await lockStudents(trx, organizationId, studentIds);
  const rules = rewardRules((await services.rules.at(trx, now)).rules);
  const days = await daysOf(trx, organizationId);
  const states = await ledgerStates(trx, services, organizationId, studentIds);
  const awarded: AwardedEvent[] = [];
  for (let place = 0; grown.some(({ growths }) => place < growths.length); place += 1) {
    const facts = grown.flatMap(({ studentId, growths }) => {
      const growth = growths[place];
      const of = { organizationId, studentId, now, rules, days, state: states.get(studentId) ?? emptyLedger };
      return growth ? [eventOf(of, growth)] : [];
    });
    for (const event of await insertEvents(trx, facts)) {
      const state = states.get(event.studentId) ?? emptyLedger;
      const award = awardFor(rules, state, event);
      states.set(event.studentId, withAward(state, event, award));
      awarded.push({ event, award });
    }
  }
  await bookAwards(trx, awarded);
  return awarded.length;
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

interface Recording extends Recorded {
  readonly studentId: number;
  readonly rules: RewardRules;
  readonly days: Days;
  readonly state: LedgerState;
}

function eventOf({ organizationId, studentId, now, rules, days, state }: Recording, growth: Growth): NewEvent {
  const date = days.dateOf(growth.occurredAt);
  const missed = missedSchoolDays(days.calendar, state.streak.lastTickDate, date);
  return {
    ...{ organizationId, studentId, ...growth },
    ...{ localDate: date, missedSchoolDays: missed },
    ...{ recordedAt: now.toISOString(), ruleVersion: rules.ruleVersion },
  };
}
