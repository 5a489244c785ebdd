// Evaluates facts of one student by given rules, without storage, for golden cases and `rewards:eval`.

import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type SchoolCalendar, schoolCalendar } from '#support/interventions/engine/index.ts';
import { awardFor } from './award.ts';
import { withAward } from './derive.ts';
import type { MasteryFact, MasterySourceKind } from './enums.ts';
import type { BadgeRule, RewardRules } from './rules.ts';
import { emptyLedger, type LedgerState } from './state.ts';
import { missedSchoolDays, streakOn } from './streak.ts';

export interface EvaluatedCalendar {
  /** ISO weekdays, Monday 1 to Sunday 7. */
  readonly weekend?: readonly number[];
  readonly holidays?: readonly string[];
  readonly timeZone?: string;
  /** Local date on which the streak is read; by default the date of the last tick. */
  readonly asOf?: string;
}

/** Absent values are derived: the date from the instant, missed days from the calendar. */
export interface EvaluatedFact {
  readonly sourceKind: MasterySourceKind;
  readonly naturalKey: string;
  readonly sessionKey: string;
  readonly occurredAt?: string;
  readonly localDate?: string;
  readonly missedSchoolDays?: number;
  readonly subSkillCode?: string | null;
  readonly domainCode?: string | null;
}

export interface EvaluatedRewards {
  readonly events: readonly MasteryFact[];
  readonly xp: readonly object[];
  readonly badges: readonly object[];
  readonly streak: LedgerState['streak'];
  readonly celebrations: readonly object[];
}

const defaultTimeZone = 'Asia/Riyadh';

/** Evaluates facts in the order of arrival; repeated pairs of kind and natural key are ignored. */
export function evaluateRewards(
  rules: RewardRules,
  days: EvaluatedCalendar,
  facts: readonly EvaluatedFact[],
): EvaluatedRewards {
  const calendar = schoolCalendar(days.weekend, days.holidays);
  const found = {
    events: [] as MasteryFact[],
    xp: [] as object[],
    badges: [] as object[],
    celebrations: [] as object[],
  };
  let state = emptyLedger;
  for (const fact of firstOfEach(facts)) {
    const event = eventOf(fact, found.events.length + 1, { rules, days, calendar, state });
    const award = awardFor(rules, state, event);
    state = withAward(state, event, award);
    const of = { masteryEventId: event.id, ruleVersion: event.ruleVersion };
    found.events.push(event);
    if (award.credit) found.xp.push({ ...of, kind: 'credit', ...award.credit, sessionKey: event.sessionKey });
    if (award.badge) {
      found.xp.push({ ...of, kind: 'badge_bonus', amount: award.badge.bonusXp });
      found.badges.push(badgeRow(rules.badgeOf(award.badge.code) as BadgeRule, event));
    }
    found.celebrations.push(...award.celebrations.map((one) => ({ ...one, masteryEventId: event.id })));
  }
  const streak = days.asOf === undefined ? state.streak : streakOn(state.streak, calendar, days.asOf, rules);
  return { ...found, streak };
}

function firstOfEach(facts: readonly EvaluatedFact[]): EvaluatedFact[] {
  const byKey = new Map<string, EvaluatedFact>();
  for (const fact of facts) {
    const key = `${fact.sourceKind}:${fact.naturalKey}`;
    if (!byKey.has(key)) byKey.set(key, fact);
  }
  return [...byKey.values()];
}

interface At {
  readonly rules: RewardRules;
  readonly days: EvaluatedCalendar;
  readonly calendar: SchoolCalendar;
  readonly state: LedgerState;
}

function eventOf(fact: EvaluatedFact, id: number, { rules, days, calendar, state }: At): MasteryFact {
  const occurredAt = fact.occurredAt ?? `${fact.localDate}T00:00:00.000Z`;
  const date = fact.localDate ?? localDate(new Date(occurredAt), days.timeZone ?? defaultTimeZone);
  const { sourceKind, naturalKey, subSkillCode, domainCode, sessionKey } = fact;
  return {
    ...{ id, sourceKind, naturalKey },
    ...(subSkillCode !== undefined && { subSkillCode }),
    ...(domainCode !== undefined && { domainCode }),
    ...{ sessionKey, occurredAt, localDate: date },
    missedSchoolDays: fact.missedSchoolDays ?? missedSchoolDays(calendar, state.streak.lastTickDate, date),
    ruleVersion: rules.ruleVersion,
  };
}

const badgeRow = (
  { code, nameAr, descriptionAr }: BadgeRule,
  { id, occurredAt, ruleVersion }: MasteryFact,
): object => ({
  ...{ code, nameAr, descriptionAr },
  ...{ triggeringMasteryEventId: id, awardedAt: occurredAt, ruleVersion },
});
