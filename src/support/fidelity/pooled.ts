// Pools the delivery of all assignments of a student since the tier began (contract 51 §5.3).

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import {
  BundleAssignment,
  type DeliveryPlan,
  deliveredDays,
  enrollmentContexts,
  hasFidelityGate,
  interventionRules,
  type Pooled,
  planOf,
  poolDelivery,
  schoolCalendar,
} from '../interventions/index.ts';

export interface PoolQuestion {
  readonly organizationId: string;
  readonly students: readonly {
    readonly studentId: number;
    /** Local date of the newest movement; null: no movement, so since the first enrollment. */
    readonly tierSince: string | null;
  }[];
  readonly now: Date;
}

/** The pooled count with its assignments. */
export interface PooledAssignments extends Pooled {
  readonly plans: readonly DeliveryPlan[];
}

/** By student. The number of statements does not depend on the number of students. Throws ENGINE_UNAVAILABLE. */
export async function pooledOf(
  trx: Trx,
  { rules }: Pick<Services, 'rules'>,
  { organizationId, students, now }: PoolQuestion,
): Promise<ReadonlyMap<number, PooledAssignments>> {
  const { fidelity } = interventionRules((await rules.at(trx, now)).rules);
  const studentIds = students.map(({ studentId }) => studentId);
  const enrollments = await enrollmentContexts(trx, organizationId, studentIds, 'erased too');
  const rows = (await plansOf(trx, organizationId, studentIds)).filter(({ objectType }) => hasFidelityGate(objectType));
  const delivered = await deliveredDays(
    trx,
    organizationId,
    rows.map(({ id }) => id),
  );
  const assignmentsByStudent = new Map<number, DeliveryPlan[]>(studentIds.map((id) => [id, []]));
  for (const row of rows) assignmentsByStudent.get(row.studentId)?.push(planOf(row, delivered));
  const since = new Map(students.map(({ studentId, tierSince }) => [studentId, tierSince]));
  return new Map(
    enrollments.map(({ studentId, timeZone, weekend, holidays, enrolledSince }) => {
      const question = {
        plans: assignmentsByStudent.get(studentId) ?? [],
        ...{ calendar: schoolCalendar(weekend, holidays), asOf: localDate(now, timeZone) },
        tierSince: since.get(studentId) ?? enrolledSince,
      };
      return [studentId, { ...poolDelivery(question, fidelity), plans: question.plans }] as const;
    }),
  );
}

const plansOf = (trx: Trx, organizationId: string, studentIds: readonly number[]) =>
  BundleAssignment.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .select(
      'id',
      'studentId',
      'objectType',
      'state',
      'startOn',
      'weeksFrom',
      'sessionsPerWeek',
      'plannedWeeks',
      'pauses',
      'endedOn',
    );
