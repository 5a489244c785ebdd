// The facts of counts of assignments. The number of statements does not depend on the number of assignments.

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import {
  type BundleAssignment,
  deliveredDays,
  type EnrollmentContext,
  enrollmentContexts,
  hasFidelityGate,
  missedDays,
  planOf,
} from '../../interventions/index.ts';
import { type Counted, type CountingRules, countFidelity, type FidelityFacts } from '../engine/count.ts';

/** Columns of an assignment; the frozen recommendation is long and not needed. */
export const countedColumns = [
  ...(['id', 'organizationId', 'studentId', 'schoolYear', 'bundleId', 'objectType', 'state', 'startOn'] as const),
  ...(['weeksFrom', 'sessionsPerWeek', 'plannedWeeks', 'pauses', 'endedOn', 'activatedAt'] as const),
] as const;

export type CountedAssignmentRow = Pick<BundleAssignment, (typeof countedColumns)[number]>;

export interface CountedAssignment extends Counted {
  readonly row: CountedAssignmentRow;
  readonly facts: FidelityFacts;
}

/** For rows of one organization, in their order, those of erased students included. */
export async function countedAssignments(
  trx: Trx,
  rows: readonly CountedAssignmentRow[],
  now: Date,
  rules: CountingRules,
): Promise<CountedAssignment[]> {
  const plans = await assignmentFacts(trx, rows, now);
  return plans.map(({ row, facts }) => ({ row, facts, ...countFidelity(facts, rules) }));
}

/** Like `countedAssignments`, without the count. */
export async function assignmentFacts(
  trx: Trx,
  rows: readonly CountedAssignmentRow[],
  now: Date,
): Promise<Pick<CountedAssignment, 'row' | 'facts'>[]> {
  const [first] = rows;
  if (!first) return [];
  const { organizationId } = first;
  const ids = rows.map(({ id }) => id);
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const enrollments = new Map(
    (await enrollmentContexts(trx, organizationId, studentIds, 'erased too')).map((p) => [p.studentId, p]),
  );
  const delivered = await deliveredDays(trx, organizationId, ids);
  const missed = await missedDays(trx, organizationId, ids);
  return rows.flatMap((row) => {
    const enrollment = enrollments.get(row.studentId);
    if (!enrollment) return [];
    const plan = planOf(row, delivered);
    const days = { missed: missed.get(row.id) ?? [], ...daysOf(enrollment, plan.startOn, now) };
    return [{ row, facts: { plan, ...days, ...kindOf(row) } }];
  });
}

const kindOf = ({ state, objectType }: CountedAssignmentRow) => ({
  active: state === 'active',
  gateType: hasFidelityGate(objectType),
});

/** Only holidays in the relevant period, because they are stored with every count. */
function daysOf({ timeZone, weekend, holidays }: EnrollmentContext, startOn: string, now: Date) {
  const asOf = localDate(now, timeZone);
  return { weekend, holidays: holidays.filter((day) => day >= startOn && day <= asOf).sort(), asOf };
}
