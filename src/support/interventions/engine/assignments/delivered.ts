// Counts delivered sessions against the planned ones (FID), over complete instructional weeks.
import { sum } from '#core/platform/pure/lists/sum.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { numbersOf } from '../bundles/settings.ts';
import { listedFacts } from '../typed-facts.ts';
import { type FidelityGate, fidelityGates } from '../vocabulary.ts';
import { completeWeeks, type SchoolCalendar, type SchoolWeek } from './calendar.ts';

export interface Pause {
  /** Local dates; the pause covers the days from `from` to the day before `to`. */
  readonly from: string;
  /** Null while the pause lasts. */
  readonly to: string | null;
}

export interface DeliveryPlan {
  readonly startOn: string;
  /** The day from which weeks are counted; absent in plans of before, which are counted from their start. */
  readonly weeksFrom?: string;
  readonly sessionsPerWeek: number;
  readonly plannedWeeks: number;
  readonly pauses: readonly Pause[];
  /** An ended assignment is counted as of this day. */
  readonly endedOn: string | null;
  /** Local dates, at most one a day. */
  readonly deliveries: readonly string[];
}

export interface WeekCount {
  readonly weekStart: string;
  readonly planned: number;
  readonly delivered: number;
  /** Before the limit by the whole assignment is applied. */
  readonly credited: number;
  readonly paused: boolean;
}

export interface DeliveryCount {
  readonly planned: number;
  readonly delivered: number;
  readonly credited: number;
  /** 4 decimals; null while nothing was due. */
  readonly rate: number | null;
  /** Without paused weeks. */
  readonly completeWeeks: number;
  readonly weeks: readonly WeekCount[];
}

export interface CountRules {
  /** Sessions that a week may make up beyond those planned. */
  readonly madeUp: number;
  /** The fewest instructional days of a week that counts. */
  readonly minDays: number;
}

/** The day from which the weeks of a plan are counted. */
export const countedWeeksFrom = ({ startOn, weeksFrom }: Pick<DeliveryPlan, 'startOn' | 'weeksFrom'>): string =>
  weeksFrom ?? startOn;

export function countDelivery(
  plan: DeliveryPlan,
  calendar: SchoolCalendar,
  asOf: string,
  { madeUp, minDays }: CountRules,
): DeliveryCount {
  const { endedOn, sessionsPerWeek, plannedWeeks } = plan;
  const until = endedOn !== null && endedOn < asOf ? endedOn : asOf;
  const most = sessionsPerWeek * plannedWeeks;
  const weeks: WeekCount[] = [];
  let due = 0;
  for (const week of completeWeeks(calendar, countedWeeksFrom(plan), until, minDays)) {
    if (due >= most) break;
    const counted = weekCount(week, plan, madeUp, weeks.length === 0);
    due += counted.planned;
    weeks.push(counted);
  }
  const planned = Math.min(due, most);
  const credited = Math.min(planned, sum(weeks.map((week) => week.credited)));
  return {
    planned,
    delivered: sum(weeks.map(({ delivered }) => delivered)),
    credited,
    rate: planned === 0 ? null : round4(credited / planned),
    completeWeeks: weeks.filter(({ paused }) => !paused).length,
    weeks,
  };
}

/** Sessions before the day from which weeks are counted belong to the first week. */
function weekCount(week: SchoolWeek, plan: DeliveryPlan, madeUp: number, isFirst: boolean): WeekCount {
  const { start, end } = week;
  const planned = plannedIn(week, plan);
  const isEarly = (day: string) => isFirst && day < countedWeeksFrom(plan);
  const delivered = plan.deliveries.filter((day) => isEarly(day) || (day >= start && day <= end)).length;
  const paused = isPaused(week, plan);
  return { weekStart: start, planned, delivered, credited: Math.min(delivered, planned + madeUp), paused };
}

const isPaused = ({ days }: SchoolWeek, { pauses }: DeliveryPlan): boolean =>
  days.every((day) => pauses.some(({ from, to }) => from <= day && (to === null || day < to)));

/** Sessions that a week of the plan asks for. */
export const plannedIn = (week: SchoolWeek, plan: DeliveryPlan): number =>
  isPaused(week, plan) ? 0 : Math.min(plan.sessionsPerWeek, week.days.length);

export interface FidelityAnswer {
  readonly ruleId: string;
  readonly gate: FidelityGate;
}

export interface FidelityRules extends CountRules {
  /** The share of the planned sessions. */
  readonly threshold: number;
  /** The newest instructional weeks over which a student's deliveries are pooled. */
  readonly pooledWeeks: number;
  /** Complete weeks from which low delivery is reported. */
  readonly lowWeeks: number;
  gateOf(counted: Pick<DeliveryCount, 'planned' | 'credited'>, gateType: boolean): FidelityAnswer;
}

export const fidelityFacts = listedFacts({ gateType: 'flag', planned: 'number', thresholdReached: 'flag' });

const constantIds = {
  ...{ threshold: 'FID-RAT-01', madeUp: 'FID-CAP-01' },
  ...{ pooledWeeks: 'FID-WIN-01', lowWeeks: 'FID-WKS-01' },
} as const;
/** The upper bound of the fact's domain. */
const mostPlanned = 60;

/** Throws BundleError when a document is missing, RangeError when it lacks a constant or has an unknown value. */
export function compileFidelity(bundle: RuleBundle): FidelityRules {
  const numbers = numbersOf(bundle, 'fidelity/settings', constantIds);
  const { minDays } = numbersOf(bundle, 'bundle/settings', { minDays: 'WKS-DAY-01' });
  const ask = firstHit(bundle.table('fidelity/gate'), fidelityFacts, (answer) => ({
    ruleId: answer.ruleId,
    gate: answer.word('outcome', fidelityGates),
  }));
  return {
    ...numbers,
    minDays,
    gateOf: ({ planned, credited }, gateType) =>
      ask({
        gateType,
        planned: Math.min(planned, mostPlanned),
        thresholdReached: credited >= round4(planned * numbers.threshold),
      }),
  };
}
