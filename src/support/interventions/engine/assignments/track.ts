// Decides whether an assignment is on track (TRK).
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';
import { type TrackStatus, trackStatuses } from '../vocabulary.ts';
import { completeWeeks, type SchoolCalendar, type SchoolWeek } from './calendar.ts';
import { compileFidelity, countDelivery, countedWeeksFrom, type DeliveryPlan } from './delivered.ts';

export interface TrackQuestion {
  readonly active: boolean;
  readonly plan: DeliveryPlan;
  readonly calendar: SchoolCalendar;
  /** Local date. */
  readonly asOf: string;
}

export interface TrackAnswer {
  readonly ruleId: string;
  readonly trackStatus: TrackStatus;
  /** 0 while it is not active. */
  readonly weeksWithoutDelivery: number;
}

export const trackFacts = listedFacts({
  active: 'flag',
  weeksWithoutDelivery: 'number',
  anyDelivery: 'flag',
  rate: 'number',
  rateKnown: 'flag',
});

/** The upper bound of the fact's domain. */
const mostWeeks = 40;

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileTrack(bundle: RuleBundle): (question: TrackQuestion) => TrackAnswer {
  const fidelity = compileFidelity(bundle);
  const ask = firstHit(bundle.table('bundle/track-status'), trackFacts, (answer) => ({
    ruleId: answer.ruleId,
    trackStatus: answer.word('outcome', trackStatuses),
  }));
  return ({ active, plan, calendar, asOf }) => {
    const { rate } = countDelivery(plan, calendar, asOf, fidelity);
    const weeksWithoutDelivery = active ? silentWeeks(plan, calendar, asOf, fidelity.minDays) : 0;
    const answer = ask({
      active,
      weeksWithoutDelivery: Math.min(weeksWithoutDelivery, mostWeeks),
      anyDelivery: plan.deliveries.some((day) => day <= asOf),
      rate: rate ?? 0,
      rateKnown: rate !== null,
    });
    return { ...answer, weeksWithoutDelivery };
  };
}

/** Complete instructional weeks without a delivery since the latest of start, last delivery and last resume. */
function silentWeeks(plan: DeliveryPlan, calendar: SchoolCalendar, asOf: string, minDays: number): number {
  const begun = countedWeeksFrom(plan);
  const delivered = plan.deliveries.filter((day) => day <= asOf);
  const resumed = plan.pauses.flatMap(({ to }) => (to !== null && to <= asOf ? [to] : []));
  const from = [begun, ...delivered, ...resumed].reduce((latest, day) => (day > latest ? day : latest));
  const weeks = [...completeWeeks(calendar, from, asOf, minDays)];
  // Earlier sessions belong to the first week.
  const [first] = delivered.some((day) => day < begun) ? completeWeeks(calendar, begun, asOf, minDays) : [];
  const isDelivered = ({ start, end }: SchoolWeek) =>
    start === first?.start || delivered.some((day) => day >= start && day <= end);
  return weeks.filter((week) => !isDelivered(week)).length;
}
