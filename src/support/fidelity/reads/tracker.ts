// All assignments of a student with their delivery.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { BundleAssignment, enrollmentContexts, interventionRules, studentTiersOf } from '../../interventions/index.ts';
import { type CountedAssignment, countedAssignments, countedColumns } from '../counting/facts.ts';
import { pooledOf } from '../pooled.ts';
import { type DeliveredMinutes, deliveredMinutesOf } from './minutes.ts';
import { presentAttendance, presentCredit } from './present.ts';
import type { FidelityTracker } from './schemas.ts';

type Tracker = Static<typeof FidelityTracker>;

/** Newest activation first. Throws ENGINE_UNAVAILABLE. */
export async function fidelityTracker(
  { services, trx, now }: { readonly services: Services; readonly trx: Trx; readonly now: Date },
  { organizationId, id: studentId }: Pick<StudentInScope, 'organizationId' | 'id'>,
): Promise<Tracker> {
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const { tier, tierSince } = (await studentTiersOf(trx, services, organizationId, [studentId]))(studentId);
  const [enrollment] = await enrollmentContexts(trx, organizationId, [studentId]);
  const students = [{ studentId, tierSince }];
  const pooled = (await pooledOf(trx, services, { organizationId, students, now })).get(studentId);
  const rows = await BundleAssignment.query(trx)
    .where({ organizationId, studentId })
    .select(...countedColumns)
    .orderBy([
      { column: 'activatedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  const plans = await countedAssignments(trx, rows, now, rules);
  const minutes = await deliveredMinutesOf(
    trx,
    services,
    organizationId,
    rows.map(({ id }) => id),
  );
  return {
    ...{ studentId, tier, tierSince: tierSince ?? enrollment?.enrolledSince ?? null },
    pooled: pooled ? { ...presentCredit(pooled), gate: pooled.gate } : unpooled,
    assignments: plans.map((plan) => presentTracked(plan, minutes(plan.row.id))),
  };
}

const unpooled = { planned: 0, credited: 0, rate: null, gate: 'not_applicable' } as const;

const presentTracked = (
  { row, facts, count, weeksWithoutDelivery }: CountedAssignment,
  { plannedMinutes, taughtMinutes }: DeliveredMinutes,
): Tracker['assignments'][number] => ({
  ...{ assignmentId: row.id, bundle_id: row.bundleId, state: row.state, trackStatus: count.trackStatus },
  ...{ ...presentCredit(count), ...presentAttendance(count), gate: count.gate },
  ...{ lastDeliveredOn: facts.plan.deliveries.at(-1) ?? null, weeksWithoutDelivery },
  ...{ plannedMinutes, taughtMinutes },
});
