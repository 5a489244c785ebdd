// Derives from deliveries, readings and the calendar how assignments are carried out.
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Organization } from '#identity/people/index.ts';
import { isOpenAssignment } from '../assignment-rows/queries.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import { type SchoolCalendar, schoolCalendar } from '../engine/assignments/calendar.ts';
import { countDelivery, type DeliveryPlan } from '../engine/assignments/delivered.ts';
import { planEndsOn } from '../engine/assignments/ends.ts';
import type { TrackStatus } from '../engine/vocabulary.ts';
import type { InterventionRules } from '../rules/compiled.ts';
import type { EnrollmentContext } from '../situations/enrollment-context.ts';

/** Local dates by assignment, in order. */
export type DeliveredDays = ReadonlyMap<string, readonly string[]>;

export async function deliveredDays(
  trx: Trx,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<DeliveredDays> {
  if (assignmentIds.length === 0) return new Map();
  const rows = await rowsOf<{ assignmentId: string; days: string[] }>(
    trx,
    `select assignment_id, array_agg(delivered_on order by delivered_on) as days from bundle_delivery
     where organization_id = :organizationId and assignment_id = any(:assignmentIds::text[])
     group by assignment_id`,
    { organizationId, assignmentIds: [...assignmentIds] },
  );
  return new Map(rows.map(({ assignmentId, days }) => [assignmentId, days]));
}

/** The calendar and the local date of a question about assignments. */
export interface AssignmentMoment {
  readonly calendar: SchoolCalendar;
  /** Local date. */
  readonly today: string;
}

export const momentAt = (
  { timeZone, weekend, holidays }: Pick<EnrollmentContext, 'timeZone' | 'weekend' | 'holidays'>,
  now: Date,
): AssignmentMoment => ({ calendar: schoolCalendar(weekend, holidays), today: localDate(now, timeZone) });

type Planned = Pick<
  BundleAssignment,
  'id' | 'state' | 'startOn' | 'weeksFrom' | 'sessionsPerWeek' | 'plannedWeeks' | 'pauses' | 'endedOn'
>;

export const planOf = (one: Planned, delivered: DeliveredDays): DeliveryPlan => ({
  startOn: one.startOn,
  ...(one.weeksFrom !== null && { weeksFrom: one.weeksFrom }),
  sessionsPerWeek: one.sessionsPerWeek,
  plannedWeeks: one.plannedWeeks,
  pauses: one.pauses,
  endedOn: one.endedOn,
  deliveries: delivered.get(one.id) ?? [],
});

export const trackOf = (
  one: Planned,
  delivered: DeliveredDays,
  { calendar, today }: AssignmentMoment,
  rules: Pick<InterventionRules, 'track'>,
): TrackStatus =>
  rules.track({ active: one.state === 'active', plan: planOf(one, delivered), calendar, asOf: today }).trackStatus;

/** Instructional weeks of the assignment that are over, without paused weeks. */
export const completeWeeksOf = (
  one: Planned,
  delivered: DeliveredDays,
  { calendar, today }: AssignmentMoment,
  { fidelity }: Pick<InterventionRules, 'fidelity'>,
): number => countDelivery(planOf(one, delivered), calendar, today, fidelity).completeWeeks;

/** The end of each open assignment by the calendar of its organization, which is that of all rows. */
export async function lastDays(
  trx: Trx,
  rows: readonly BundleAssignment[],
  { settings }: Pick<InterventionRules, 'settings'>,
): Promise<(row: BundleAssignment) => string | null> {
  const open = rows.find(isOpenAssignment);
  if (!open) return () => null;
  const { weekend, holidays } = await Organization.query(trx)
    .findById(open.organizationId)
    .select('weekend', 'holidays')
    .throwIfNotFound();
  const calendar = schoolCalendar(weekend, holidays);
  return (row) => planEndsOn(planOf(row, noDays), calendar, settings.instructionalWeekDays);
}

const noDays: DeliveredDays = new Map();
