// The week of a class: who was never measured, what is planned and held, and what waits (contract 53 §1).
import { classNeeds } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { sum } from '#core/platform/pure/lists/sum.ts';
import { type ClassInScope, Organization } from '#identity/people/index.ts';
import {
  BundleAssignment,
  deliveredDays,
  interventionRules,
  planEndsOn,
  plannedInWeek,
  planOf,
  schoolCalendar,
  weekStartOf,
} from '../../interventions/index.ts';
import { countOpenAlerts } from '../../rti/index.ts';
import { countOverdueWork } from '../overdue/list.ts';
import type { ClassWeek } from './schemas.ts';

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}

/** The number of statements does not depend on the class. Throws ENGINE_UNAVAILABLE. */
export async function classWeek(
  { services, trx, now }: Asked,
  ofClass: ClassInScope,
  on: string | undefined,
): Promise<ClassWeek> {
  const { id: classId, organizationId, timeZone } = ofClass;
  const { weekend, holidays } = await Organization.query(trx)
    .findById(organizationId)
    .select('weekend', 'holidays')
    .throwIfNotFound();
  const calendar = schoolCalendar(weekend, holidays);
  const from = weekStartOf(calendar, on ?? localDate(now, timeZone));
  const to = daysAfter(from, lastDay);
  const { neverMeasured, halted, minutes } = await classNeeds(services, trx, ofClass, now);
  const plans = await plansOfWeek(trx, ofClass, { from, to });
  const { instructionalWeekDays } = interventionRules((await services.rules.at(trx, now)).rules).settings;
  const ends = plans.map((plan) => planEndsOn(plan, calendar, instructionalWeekDays));
  return {
    ...{ classId, from, to, neverMeasured: [...neverMeasured], halted: [...halted], nextDataMinutes: minutes },
    sessionsPlanned: sum(plans.map((plan) => plannedInWeek(plan, calendar, from, instructionalWeekDays))),
    sessionsHeld: sum(plans.map(({ deliveries }) => deliveries.filter((day) => day >= from && day <= to).length)),
    alertsOpen: await countOpenAlerts(trx, ofClass),
    overdue: await countOverdueWork(services, trx, ofClass, now),
    plansEnding: ends.filter((end) => end !== null && end >= from && end <= to).length,
  };
}

/** Offset of the last day of a week from its first. */
const lastDay = 6;

/** Plans of the class that were open in the week, with their sessions. */
async function plansOfWeek(
  trx: Trx,
  { organizationId, id: classId }: Pick<ClassInScope, 'organizationId' | 'id'>,
  { from, to }: { readonly from: string; readonly to: string },
) {
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId, classId })
    .where('startOn', '<=', to)
    .where((open) => open.whereNull('endedOn').orWhere('endedOn', '>=', from))
    .select(
      ...(['id', 'state', 'startOn', 'weeksFrom', 'sessionsPerWeek', 'plannedWeeks', 'pauses', 'endedOn'] as const),
    );
  const ids = rows.map(({ id }) => id);
  const delivered = await deliveredDays(trx, organizationId, ids);
  return rows.map((row) => planOf(row, delivered));
}
