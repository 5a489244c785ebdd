// The single entry point of growth into the ledgers: a new event earns XP, a streak tick, an avatar tier and at most
// one badge, in this order and in one transaction (60 §1).

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
import { type AwardedEvent, bookAwards, insertEvents, type NewMasteryEvent } from './insert.ts';
import { ledgerStates } from './ledgers.ts';
import type { MasteryEventRow } from './rows.ts';

/** Growth of a student, before it is known whether it is new. */
export type PossibleGrowth = Pick<
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
  readonly growths: readonly PossibleGrowth[];
}

interface Recorded {
  readonly organizationId: string;
  readonly now: Date;
}

/**
 * Records the growth of students, each listed once, in the given order, and returns the number of new events. The
 * number of statements does not depend on the number of students. Throws NOT_FOUND for an erased student, and
 * ENGINE_UNAVAILABLE without rules.
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
  for (let index = 0; grown.some(({ growths }) => index < growths.length); index += 1) {
    const facts = grown.flatMap(({ studentId, growths }) => {
      const growth = growths[index];
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

/** Calendar and time zone of the organization: growth does not depend on the school of the child. */
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

function eventOf(
  { organizationId, studentId, now, rules, days, state }: Recording,
  growth: PossibleGrowth,
): NewMasteryEvent {
  const date = days.dateOf(growth.occurredAt);
  const missed = missedSchoolDays(days.calendar, state.streak.lastTickDate, date);
  return {
    ...{ organizationId, studentId, ...growth },
    ...{ localDate: date, missedSchoolDays: missed },
    ...{ recordedAt: now.toISOString(), ruleVersion: rules.ruleVersion },
  };
}
