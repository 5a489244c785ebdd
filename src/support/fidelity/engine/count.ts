// Counts the delivered sessions of one assignment against the planned ones (contract 51 §5.1), from plain data that is stored
// with the result.

import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import {
  compileFidelity,
  compileTrack,
  countDelivery,
  countedWeeksFrom,
  type DeliveryCount,
  type DeliveryPlan,
  type FidelityGate,
  schoolCalendar,
  type TrackStatus,
} from '../../interventions/engine/index.ts';

export interface FidelityFacts {
  /** Including the local dates of its sessions. */
  readonly plan: DeliveryPlan;
  /** Local dates of sessions from which the student was absent. */
  readonly missed: readonly string[];
  readonly active: boolean;
  /** Whether the type of the assignment has a fidelity gate. */
  readonly gateType: boolean;
  /** Monday 1 to Sunday 7. */
  readonly weekend: readonly number[];
  /** Local dates, as is `asOf`. */
  readonly holidays: readonly string[];
  readonly asOf: string;
}

export interface FidelityCount extends DeliveryCount {
  /** Sessions offered to the student, attended or not: an absence is not an undelivered session. */
  readonly offered: number;
  readonly absent: number;
  /** The share of the planned sessions. */
  readonly threshold: number;
  readonly gate: FidelityGate;
  /** The rule of the gate. */
  readonly ruleId: string;
  readonly trackStatus: TrackStatus;
}

/** The documents that decide a count. */
export const fidelityDocuments = ['fidelity/gate', 'fidelity/settings', 'bundle/settings', 'bundle/track-status'];

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export const compileCounting = (bundle: RuleBundle) => ({
  fidelity: compileFidelity(bundle),
  track: compileTrack(bundle),
});
export type CountingRules = ReturnType<typeof compileCounting>;

export interface Counted {
  readonly count: FidelityCount;
  /** 0 while the assignment is not active. */
  readonly weeksWithoutDelivery: number;
}

/** The same facts and rules always give the same count. */
export function countFidelity(facts: FidelityFacts, { fidelity, track }: CountingRules): Counted {
  const { plan, active, asOf } = facts;
  const calendar = schoolCalendar(facts.weekend, facts.holidays);
  const delivery = countDelivery(plan, calendar, asOf, fidelity);
  const { gate, ruleId } = fidelity.gateOf(delivery, facts.gateType);
  const { trackStatus, weeksWithoutDelivery } = track({ active, plan, calendar, asOf });
  const absent = facts.missed.filter((day) => isIn(delivery, plan, day)).length;
  const offered = delivery.delivered + absent;
  const { threshold } = fidelity;
  return { count: { ...delivery, offered, absent, threshold, gate, ruleId, trackStatus }, weeksWithoutDelivery };
}

/** Days before that from which weeks are counted belong to the first week. */
const isIn = ({ weeks }: DeliveryCount, plan: DeliveryPlan, day: string): boolean =>
  weeks.length > 0 &&
  (day < countedWeeksFrom(plan) || weeks.some(({ weekStart }) => weekStart <= day && day < daysAfter(weekStart, 7)));
