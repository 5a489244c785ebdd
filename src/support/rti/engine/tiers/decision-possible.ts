// Finds what is missing for a decision about a tier, and the first school day on which it can be complete, assuming a delivery
// and a measurement on every school day from today on.

import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { round4 } from '#core/platform/pure/round.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import {
  compileFidelity,
  completeWeeks,
  type DeliveryPlan,
  type FidelityGate,
  type FidelityRules,
  isInstructional,
  measureOf,
  numbersOf,
  poolUntil,
  type RoleCode,
  type SchoolCalendar,
  type SufficiencyAnswer,
  type SufficiencyQuestion,
  type SupportTier,
  weekStartOf,
} from '../../../interventions/engine/index.ts';
import { type RtiSettings, rtiSettings } from '../settings.ts';

export interface PossibleQuestion {
  readonly tier: SupportTier;
  /** Local date; without a movement that of the first enrollment. */
  readonly tierSince: string;
  readonly today: string;
  readonly calendar: SchoolCalendar;
  /** No decision is allowed yet, or circumstances are active; no number of days ends that. */
  readonly blocked: boolean;
  readonly weeksInTier: number;
  readonly pooled: { readonly planned: number; readonly credited: number };
  /** All assignments that are counted. */
  readonly plans: readonly DeliveryPlan[];
  /** The role in focus; null without one. */
  readonly role: RoleCode | null;
  readonly progressKnown: boolean;
  /** Monitoring points dated on or after `tierSince`. */
  readonly pointsSinceTier: number;
  /** The number of runs that added a measurement to the role. */
  readonly roleMeasurements: number;
}

export interface DecisionPossible {
  readonly weeksMissing: number;
  readonly creditsMissing: number;
  readonly pointsMissing: number;
  /** Local date; null when none can be computed. */
  readonly earliestOn: string | null;
}

/** Days to look ahead: a year and a summer. */
const horizon = 400;

interface PossibleRules {
  readonly fidelity: FidelityRules;
  readonly settings: RtiSettings;
  /** The rate of the most intensive support; no new assignment can have a higher one. */
  readonly sessionsPerWeek: number;
  readonly sufficiencyOf: (question: SufficiencyQuestion) => SufficiencyAnswer;
}

/** Throws BundleError when a document is missing, RangeError when one lacks a constant. */
export function compileDecisionPossible(
  bundle: RuleBundle,
  sufficiencyOf: PossibleRules['sufficiencyOf'],
): (question: PossibleQuestion) => DecisionPossible {
  const [fidelity, settings] = [compileFidelity(bundle), rtiSettings(bundle)];
  const { sessionsPerWeek } = numbersOf(bundle, 'bundle/settings', { sessionsPerWeek: 'ASG-T3W-01' });
  const leastWeeks = leastWeeksOf(bundle);
  const rules = { fidelity, settings, sessionsPerWeek, sufficiencyOf };
  return (question) => {
    const { blocked, plans, weeksInTier, pooled, pointsSinceTier, today } = question;
    const due = Math.ceil(round4(fidelity.threshold * pooled.planned));
    const earliestOn = blocked
      ? null
      : (firstDay(question, plans, rules) ?? firstDay(question, [...plans, newPlan(today, sessionsPerWeek)], rules));
    return {
      weeksMissing: Math.max(0, leastWeeks - weeksInTier),
      creditsMissing: Math.max(0, due - pooled.credited),
      pointsMissing: Math.max(0, settings.progressPoints - pointsSinceTier),
      earliestOn,
    };
  };
}

/** Zero for a version of the rules that requires no weeks. */
function leastWeeksOf(bundle: RuleBundle): number {
  const weeks = bundle.table('rti/data-sufficiency').document.constants?.['DSF-WKS-01']?.value;
  return typeof weeks === 'number' ? weeks : 0;
}

/** When the existing assignments do not suffice, a new one can start today. */
const newPlan = (startOn: string, sessionsPerWeek: number): DeliveryPlan => ({
  ...{ startOn, sessionsPerWeek, plannedWeeks: horizon, pauses: [], endedOn: null, deliveries: [] },
});

function firstDay(question: PossibleQuestion, plans: readonly DeliveryPlan[], rules: PossibleRules): string | null {
  const { tier, tierSince, today, calendar } = question;
  const schoolDays = schoolDaysFrom(calendar, today);
  const last = daysAfter(today, horizon);
  const given = plans.map((plan) => givenDaily(plan, schoolDays));
  const pooledOn = poolUntil({ plans: given, calendar, tierSince, asOf: last }, rules.fidelity);
  const weeks = [...completeWeeks(calendar, tierSince, last, rules.fidelity.minDays)];
  const gates = new Map<string, FidelityGate>();
  const found = schoolDays.findIndex((day, at) => {
    // Within a week the gate does not change.
    const week = weekStartOf(calendar, day);
    const gate = gates.get(week) ?? pooledOn(day).gate;
    gates.set(week, gate);
    const weeksInTier = weeks.filter(({ end }) => end < day).length;
    const progress = isProgressKnown(question, day, at + 1, rules.settings) ? 'mixed' : 'unknown';
    const support = { gate, tier, weeksInTier, progress } as const;
    return rules.sufficiencyOf({ ...decided, support }).dataSufficiency === 'sufficient';
  });
  return schoolDays[found] ?? null;
}

/** Facts of sufficient evidence, so that only the response to support remains. */
const decided = { dndy: false, profileCode: 'ON_TRACK', contextReview: false } as const;

const schoolDaysFrom = (calendar: SchoolCalendar, from: string): readonly string[] =>
  Array.from({ length: horizon + 1 }, (_, ahead) => daysAfter(from, ahead)).filter((day) =>
    isInstructional(calendar, day),
  );

/** A delivery on every school day without a pause; only complete weeks are counted. */
function givenDaily(plan: DeliveryPlan, schoolDays: readonly string[]): DeliveryPlan {
  if (plan.endedOn !== null) return plan;
  const possible = schoolDays.filter((day) => {
    const isPaused = plan.pauses.some(({ from, to }) => from <= day && (to === null || day < to));
    return day >= plan.startOn && !isPaused;
  });
  return { ...plan, deliveries: [...new Set([...plan.deliveries, ...possible])] };
}

/** With one reading, or one measurement of the role, on each of the school days. */
function isProgressKnown(question: PossibleQuestion, day: string, schoolDays: number, settings: RtiSettings): boolean {
  const { role, progressKnown, pointsSinceTier, roleMeasurements, tierSince } = question;
  if (progressKnown || role === null) return progressKnown;
  if (measureOf(role) !== null) return pointsSinceTier + schoolDays >= settings.progressPoints;
  // One measurement to compare with, and one within the tier.
  return roleMeasurements + schoolDays >= 2 && day >= daysAfter(tierSince, settings.progressDays);
}
