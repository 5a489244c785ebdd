// Cases that count weeks: weeks of teaching, fidelity of an assignment, and whether it is on track.
import {
  completeWeeks,
  type SchoolCalendar,
  schoolCalendar,
} from '#support/interventions/engine/assignments/calendar.ts';
import { countDelivery, type DeliveryPlan, type Pause } from '#support/interventions/engine/assignments/delivered.ts';
import { poolDelivery } from '#support/interventions/engine/assignments/pooled.ts';
import { hasFidelityGate, type ObjectType } from '#support/interventions/engine/vocabulary.ts';
import type { Engines } from './engines.ts';

interface Days {
  readonly weekend?: readonly number[];
  readonly holidays?: readonly string[];
}

const calendarOf = ({ weekend, holidays }: Days): SchoolCalendar => schoolCalendar(weekend, holidays);

interface WeeksInput {
  readonly from: string;
  readonly asOf: string;
  readonly calendar: Days;
}

export const weeksCase = ({ from, asOf, calendar }: WeeksInput, { settings }: Engines) =>
  [...completeWeeks(calendarOf(calendar), from, asOf, settings.instructionalWeekDays)].map(({ start, end, days }) => ({
    start,
    end,
    instructionalDays: days.length,
  }));

interface FidelityInput extends Pick<DeliveryPlan, 'startOn' | 'sessionsPerWeek' | 'plannedWeeks'> {
  readonly asOf: string;
  readonly deliveredOn: readonly string[];
  readonly calendar: Days;
  readonly pauses?: readonly Pause[];
  readonly endedOn?: string | null;
  readonly objectType?: ObjectType;
}

export function fidelityCase(input: FidelityInput, { fidelity }: Engines) {
  const { asOf, deliveredOn, calendar, pauses = [], endedOn = null, objectType = 'INTERVENTION_BUNDLE' } = input;
  const plan = { ...input, pauses, endedOn, deliveries: deliveredOn };
  const counted = countDelivery(plan, calendarOf(calendar), asOf, fidelity);
  const { planned, delivered, credited, rate, completeWeeks: weeks } = counted;
  const { gate } = fidelity.gateOf(counted, hasFidelityGate(objectType));
  return { planned, delivered, credited, rate, gate, completeWeeks: weeks };
}

interface TrackInput {
  readonly calendar: Days;
  readonly asOf: string;
  readonly active: boolean;
  readonly assignment: DeliveryPlan;
}

export function trackCase({ calendar, asOf, active, assignment }: TrackInput, { track }: Engines) {
  const found = track({ active, plan: assignment, calendar: calendarOf(calendar), asOf });
  const { weeksWithoutDelivery, trackStatus, ruleId } = found;
  return { weeksWithoutDelivery, trackStatus, ruleId };
}

interface PooledInput {
  readonly calendar: Days;
  readonly tierSince: string;
  readonly asOf: string;
  readonly assignments: readonly (DeliveryPlan & { readonly gateType: boolean })[];
}

export function pooledCase({ calendar, tierSince, asOf, assignments }: PooledInput, { fidelity }: Engines) {
  const plans = assignments.filter(({ gateType }) => gateType);
  const found = poolDelivery({ plans, calendar: calendarOf(calendar), tierSince, asOf }, fidelity);
  const { planned, credited, rate, gate, deliveredWeeks } = found;
  return { planned, credited, rate, gate, deliveredWeeks };
}
