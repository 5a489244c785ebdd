// Until when an assignment lasts: its first counted week, its last planned one, and what the daily run does once that is over
// (contract 53 §1).
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { completeWeeks, type SchoolCalendar, type SchoolWeek, weekStartOf } from './calendar.ts';
import { countedWeeksFrom, type DeliveryPlan, plannedIn } from './delivered.ts';

const daysOfWeek = 7;

/** A plan that begins on the day of its activation is counted from the next week on. */
export const firstWeekFrom = (startOn: string, today: string, calendar: SchoolCalendar): string =>
  startOn === today ? daysAfter(weekStartOf(calendar, today), daysOfWeek) : startOn;

/** Weeks of the calendar within which an end is looked for. */
const horizon = 80;

/** A week of a plan with the sessions that it asks for. */
interface PlannedWeek {
  readonly week: SchoolWeek;
  readonly planned: number;
}

/** The weeks in which the plan still asks for sessions, by this calendar. */
function* weeksOfPlan(plan: DeliveryPlan, calendar: SchoolCalendar, minDays: number): Generator<PlannedWeek> {
  const most = plan.sessionsPerWeek * plan.plannedWeeks;
  const from = countedWeeksFrom(plan);
  const until = daysAfter(weekStartOf(calendar, from), horizon * daysOfWeek);
  let due = 0;
  for (const week of completeWeeks(calendar, from, until, minDays)) {
    if (due >= most) return;
    const planned = plannedIn(week, plan);
    due += planned;
    yield { week, planned };
  }
}

/**
 * The last day of the week in which everything is planned; null for an ended plan, without sessions, while a pause lasts, and
 * where the calendar holds no such week for too long.
 */
export function planEndsOn(plan: DeliveryPlan, calendar: SchoolCalendar, minDays: number): string | null {
  const most = plan.sessionsPerWeek * plan.plannedWeeks;
  if (most === 0 || plan.endedOn !== null || plan.pauses.some(({ to }) => to === null)) return null;
  let due = 0;
  for (const { week, planned } of weeksOfPlan(plan, calendar, minDays)) {
    due += planned;
    if (due >= most) return week.end;
  }
  return null;
}

/** Sessions that the plan asks for in the week that begins on this day; none after its end. */
export function plannedInWeek(
  plan: DeliveryPlan,
  calendar: SchoolCalendar,
  weekStart: string,
  minDays: number,
): number {
  if (plan.endedOn !== null && plan.endedOn < weekStart) return 0;
  for (const { week, planned } of weeksOfPlan(plan, calendar, minDays)) {
    if (week.start === weekStart) return planned;
    if (week.start > weekStart) return 0;
  }
  return 0;
}

/** What the daily runs have kept about the end of a plan; local dates. */
export interface EndState {
  readonly pastEndSince: string | null;
  readonly overdueToldFor: string | null;
}

export interface EndQuestion {
  readonly state: EndState;
  readonly endsOn: string | null;
  readonly today: string;
  /** The first daily run of the organization by rules that know ends. */
  readonly firstRunOn: string;
  readonly calendar: SchoolCalendar;
  readonly minDays: number;
  /** Complete instructional weeks for which a plan may be open after its end; null: for ever. */
  readonly weeks: number | null;
}

export interface FollowedEnd {
  readonly state: EndState;
  /** Whether it is told that the plan is not completed. */
  readonly isTold: boolean;
  readonly expires: boolean;
}

/** Each end is told once, by the first run after it; an end that had passed before the first run of all is not told. */
export function followedEnd({ state, endsOn, today, ...question }: EndQuestion): FollowedEnd {
  if (endsOn === null || endsOn >= today) {
    return { state: { ...state, pastEndSince: null }, isTold: false, expires: false };
  }
  const { firstRunOn, calendar, minDays, weeks } = question;
  const pastEndSince = state.pastEndSince ?? today;
  const isNew = state.pastEndSince === null && state.overdueToldFor !== endsOn;
  return {
    state: { pastEndSince, overdueToldFor: isNew ? endsOn : state.overdueToldFor },
    isTold: isNew && endsOn >= firstRunOn,
    expires: weeks !== null && hasCome(expiryFrom(calendar, pastEndSince, minDays, weeks), today),
  };
}

const hasCome = (day: string | null, today: string): boolean => day !== null && day <= today;

/** The first day after that number of complete instructional weeks; null where the calendar holds no such day for too long. */
export function expiryFrom(calendar: SchoolCalendar, from: string, minDays: number, weeks: number): string | null {
  const until = daysAfter(weekStartOf(calendar, from), horizon * daysOfWeek);
  const last = [...completeWeeks(calendar, from, until, minDays)][weeks - 1];
  return last ? daysAfter(last.end, 1) : null;
}
