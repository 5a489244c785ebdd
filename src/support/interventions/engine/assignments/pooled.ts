// Pools what was delivered of all assignments of a student since a tier began, over the newest weeks with a planned session.
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import { round4 } from '#core/platform/pure/round.ts';
import type { FidelityGate } from '../vocabulary.ts';
import { type SchoolCalendar, weekStartOf } from './calendar.ts';
import { countDelivery, type DeliveryPlan, type FidelityRules, type WeekCount } from './delivered.ts';

export interface Pooled {
  readonly planned: number;
  readonly credited: number;
  /** 4 decimals; null while nothing was due. */
  readonly rate: number | null;
  readonly gate: FidelityGate;
  readonly ruleId: string;
  /** Complete weeks with a delivery since the tier began. */
  readonly deliveredWeeks: number;
  /** First dates of the counted weeks, in order. */
  readonly weeks: readonly string[];
}

export interface PooledQuestion {
  /** Assignments with a fidelity gate by object type. */
  readonly plans: readonly DeliveryPlan[];
  readonly calendar: SchoolCalendar;
  /** Local date of the newest movement; null: all weeks. */
  readonly tierSince: string | null;
  /** Local date. */
  readonly asOf: string;
}

export const poolDelivery = (question: PooledQuestion, rules: FidelityRules): Pooled =>
  poolUntil(question, rules)(question.asOf);

/** Counts up to `asOf` once, and returns a function for any day up to it. */
export function poolUntil(question: PooledQuestion, rules: FidelityRules): (day: string) => Pooled {
  const { plans, calendar, tierSince, asOf } = question;
  const from = tierSince === null ? '' : weekStartOf(calendar, tierSince);
  const counted = plans.map((plan) => ({ plan, weeks: countDelivery(plan, calendar, asOf, rules).weeks }));
  return (day) => {
    const latest = daysBefore(day, lastDay);
    const complete = counted.map(({ plan, weeks }) => ({
      plan,
      weeks: weeks.filter(({ weekStart }) => weekStart < latest),
    }));
    return pooled(complete, from, rules);
  };
}

/** Offset of the last day of a week from its first. */
const lastDay = 6;

interface CountedPlan {
  readonly plan: DeliveryPlan;
  readonly weeks: readonly WeekCount[];
}

function pooled(counted: readonly CountedPlan[], from: string, rules: FidelityRules): Pooled {
  const since = counted.flatMap(({ weeks }) => weeks.filter(({ weekStart }) => weekStart >= from));
  const planned = startsOf(since.filter((week) => week.planned > 0));
  const window = new Set(planned.slice(-rules.pooledWeeks));
  const parts = counted.map((one) => partOf(one, window));
  const total = { planned: sum(parts.map((part) => part.planned)), credited: sum(parts.map((part) => part.credited)) };
  return {
    ...total,
    rate: total.planned === 0 ? null : round4(total.credited / total.planned),
    ...rules.gateOf(total, true),
    deliveredWeeks: startsOf(since.filter((week) => week.delivered > 0)).length,
    weeks: [...window],
  };
}

/** The credit of an assignment is limited by its total, less what earlier weeks have used. */
function partOf({ plan, weeks }: CountedPlan, window: ReadonlySet<string>) {
  const inside = weeks.filter(({ weekStart }) => window.has(weekStart));
  const [first] = inside;
  const before = weeks.filter(({ weekStart }) => first !== undefined && weekStart < first.weekStart);
  const left = plan.sessionsPerWeek * plan.plannedWeeks - sum(before.map((week) => week.planned));
  const planned = Math.min(left, sum(inside.map((week) => week.planned)));
  return { planned, credited: Math.min(planned, sum(inside.map((week) => week.credited))) };
}

const startsOf = (weeks: readonly WeekCount[]): string[] =>
  [...new Set(weeks.map(({ weekStart }) => weekStart))].sort();
