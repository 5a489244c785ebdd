// The one door through which a delivered session reaches the plans of those who were there (contract 51 §5.1): a row of the
// ledger for each, counted to the step that the plan is at, with all that follows for goals, support and the end of the plan.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { changeAssignment } from '../assignments/change.ts';
import { stepEvents } from '../assignments/events.ts';
import { deliveredDays } from '../assignments/track.ts';
import type { BundleAssignment } from '../plans/store.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import { lockSupport } from '../support/lock.ts';
import { advancedBy } from './advance.ts';
import { deliveryRecorded } from './events.ts';
import { type Halts, haltedAmong } from './halted.ts';
import { type OpenPlan, openPlans, studentsWithPlans } from './plans.ts';
import { pooledResponses } from './pooled.ts';
import { type DeliveredSession, responsesOf, wasThere } from './session.ts';
import { appendAbsences, appendDeliveries } from './store.ts';
import { bundlesOf, targetsOf } from './targets.ts';

export interface RecordedDelivery {
  readonly studentId: number;
  readonly assignmentId: string;
  /** That it was counted to. */
  readonly stepNo: number;
}

/**
 * Answers the deliveries that were written, by student: those present who work on the bundle, whose plan has begun by that day
 * and has no other session of it. The number of reads does not grow with the students. Throws ENGINE_UNAVAILABLE.
 */
export async function recordDeliveries(
  trx: Trx,
  services: Services,
  session: DeliveredSession,
): Promise<readonly RecordedDelivery[]> {
  const { organizationId, now } = session;
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const studentIds = await studentsWithPlans(trx, session);
  await lockSupport(trx, organizationId, studentIds);
  const included = await openPlans(trx, session, studentIds);
  const missed = await appendAbsences(
    trx,
    session,
    included.filter(({ row }) => !wasThere(session, row.studentId)),
  );
  const plans = included.filter(({ row }) => wasThere(session, row.studentId));
  const recorded = plans.length === 0 ? [] : await recordPresent(trx, services, session, plans, rules);
  const counted = [...missed, ...recorded].map(({ studentId, assignmentId }) =>
    newEvent(deliveryRecorded, organizationId, { studentId, assignmentId }),
  );
  await appendEvents(trx, now, counted);
  return recorded;
}

async function recordPresent(
  trx: Trx,
  services: Services,
  session: DeliveredSession,
  plans: readonly OpenPlan[],
  rules: InterventionRules,
): Promise<readonly RecordedDelivery[]> {
  const { organizationId, now } = session;
  const halts = await haltedAmong(trx, organizationId, plans, rules, now);
  const known = await knownBefore(trx, services, session, plans, rules);
  const recorded = await appendDeliveries(trx, session, plans, halts);
  for (const plan of plans.filter(({ row }) => recorded.has(row.id))) {
    await moveOn(trx, session, plan, { ...known, halts, rules });
  }
  return plans.flatMap(({ row: { studentId, id, currentStepNo } }) =>
    recorded.has(id) && currentStepNo !== null ? [{ studentId, assignmentId: id, stepNo: currentStepNo }] : [],
  );
}

async function knownBefore(
  trx: Trx,
  services: Services,
  { organizationId, now }: Pick<DeliveredSession, 'organizationId' | 'now'>,
  plans: readonly OpenPlan[],
  rules: InterventionRules,
) {
  const rows = plans.map(({ row }) => row);
  return {
    delivered: await deliveredDays(
      trx,
      organizationId,
      rows.map(({ id }) => id),
    ),
    pooled: await pooledResponses(trx, services, { organizationId, now }, rows),
    bundles: await bundlesOf(trx, services, rows, rules),
  };
}

interface Known extends Awaited<ReturnType<typeof knownBefore>> {
  readonly halts: Halts;
  readonly rules: InterventionRules;
}

async function moveOn(trx: Trx, session: DeliveredSession, plan: OpenPlan, known: Known): Promise<void> {
  const { deliveredOn, now } = session;
  const row = await begun(trx, plan.row, now);
  const targets = targetsOf(row, plan.place.grade, known.bundles, known.rules);
  const delivery = { dndy: known.halts.has(row.studentId), responses: responsesOf(session, row.studentId) };
  const before = { pooled: known.pooled.get(row.id) ?? [], days: known.delivered.get(row.id) ?? [] };
  const moment = { ...plan.moment, deliveredOn };
  const { change, events } = advancedBy(row, delivery, { ...before, moment, targets }, known.rules);
  await changeAssignment(trx, row, change, now, stepEvents(row, events));
}

/** AS-03: a session is a write too. */
const begun = (trx: Trx, row: BundleAssignment, now: Date): Promise<BundleAssignment> =>
  row.state === 'scheduled' ? changeAssignment(trx, row, { state: 'active' }, now) : Promise.resolve(row);
