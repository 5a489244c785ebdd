// Plans with all that is counted of them, in a number of statements that does not grow with them.

import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import {
  type BundleAssignment,
  deliveredDays,
  hasFidelityGate,
  missedDays,
  type Place,
  placesOf,
  planOf,
} from '../../interventions/index.ts';
import { type Counted, type CountingRules, countFidelity, type FidelityFacts } from '../engine/count.ts';

/** Of a plan; what it was given for is long and plays no part. */
export const countedColumns = [
  ...(['id', 'organizationId', 'studentId', 'schoolYear', 'bundleId', 'objectType', 'state', 'startOn'] as const),
  ...(['sessionsPerWeek', 'plannedWeeks', 'pauses', 'endedOn', 'activatedAt'] as const),
] as const;

export type PlanRow = Pick<BundleAssignment, (typeof countedColumns)[number]>;

export interface CountedPlan extends Counted {
  readonly row: PlanRow;
  readonly facts: FidelityFacts;
}

/** Rows of one organization, in their order; of students who were erased too. */
export async function countedPlans(
  trx: Trx,
  rows: readonly PlanRow[],
  now: Date,
  rules: CountingRules,
): Promise<CountedPlan[]> {
  const plans = await planFacts(trx, rows, now);
  return plans.map(({ row, facts }) => ({ row, facts, ...countFidelity(facts, rules) }));
}

/** The same, not counted yet. */
export async function planFacts(
  trx: Trx,
  rows: readonly PlanRow[],
  now: Date,
): Promise<Pick<CountedPlan, 'row' | 'facts'>[]> {
  const [first] = rows;
  if (!first) return [];
  const { organizationId } = first;
  const ids = rows.map(({ id }) => id);
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const places = new Map((await placesOf(trx, organizationId, studentIds, 'erased too')).map((p) => [p.studentId, p]));
  const delivered = await deliveredDays(trx, organizationId, ids);
  const missed = await missedDays(trx, organizationId, ids);
  return rows.flatMap((row) => {
    const place = places.get(row.studentId);
    if (!place) return [];
    const plan = planOf(row, delivered);
    const days = { missed: missed.get(row.id) ?? [], ...daysOf(place, plan.startOn, now) };
    return [{ row, facts: { plan, ...days, ...kindOf(row) } }];
  });
}

const kindOf = ({ state, objectType }: PlanRow) => ({
  active: state === 'active',
  gateType: hasFidelityGate(objectType),
});

/** Of the holidays those that can matter: they are kept with every count. */
function daysOf({ timeZone, weekend, holidays }: Place, startOn: string, now: Date) {
  const asOf = localDate(now, timeZone);
  return { weekend, holidays: holidays.filter((day) => day >= startOn && day <= asOf).sort(), asOf };
}
