// Suggests a modification when a series of readings falls below its goal although the assignment is delivered as planned
// (contract 52 §7.2). Only events are written, so that no lock is needed.

import { cbmTrendChanged } from '#assessment/measurement/index.ts';
import { appendEvents, type EventOf } from '#core/module/events.ts';
import { reaction } from '#core/module/jobs.ts';
import type { Trx } from '#core/platform/db.ts';
import { activeRules } from '#rules/rulesets/index.ts';
import { countDelivery } from '../engine/assignments/delivered.ts';
import { measureOf } from '../engine/assignments/dosage.ts';
import { hasFidelityGate } from '../engine/vocabulary.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import { suggestion } from './events.ts';
import { type EnrolledAssignment, openAssignmentsOf } from './follow.ts';
import { measuredRole } from './reads/views.ts';
import { type DeliveredDays, deliveredDays, momentAt, planOf } from './track.ts';

type Turn = EventOf<typeof cbmTrendChanged>;

/** Reactions are given no services. Published versions never change, so a second cache of the rules is safe. */
const rulesInForce = activeRules();

/** Each event is one change of a series, and is delivered once. */
export const belowAimLine = reaction({
  name: 'assignments-below-aim-line',
  to: [cbmTrendChanged],
  async toJobs(trx, events, now) {
    const turns = events.filter(({ payload }) => payload.trendType === 'trend_below_goal');
    if (turns.length === 0) return [];
    const rules = interventionRules((await rulesInForce.at(trx, now)).rules);
    for (const turn of turns) await suggestFor(trx, turn, rules, now);
    return [];
  },
});

async function suggestFor(trx: Trx, turn: Turn, rules: InterventionRules, now: Date): Promise<void> {
  const { organizationId, payload } = turn;
  const open = await openAssignmentsOf(trx, { organizationId, studentIds: [payload.studentId], now });
  const watched = open.filter(
    ({ row }) => row.state === 'active' && measureOf(measuredRole(row, rules)) === payload.measureCode,
  );
  const ids = watched.map(({ row }) => row.id);
  const delivered = await deliveredDays(trx, organizationId, ids);
  const given = watched.filter((enrolled) => isGivenAsPlanned(enrolled, delivered, rules, now));
  await appendEvents(
    trx,
    now,
    given.map(({ row }) => suggestion(row, 'below_aim_line')),
  );
}

function isGivenAsPlanned(
  { row, enrollment }: EnrolledAssignment,
  delivered: DeliveredDays,
  { fidelity, settings }: Pick<InterventionRules, 'fidelity' | 'settings'>,
  now: Date,
): boolean {
  const { calendar, today } = momentAt(enrollment, now);
  const counted = countDelivery(planOf(row, delivered), calendar, today, fidelity);
  const { gate } = fidelity.gateOf(counted, hasFidelityGate(row.objectType));
  return gate === 'pass' && counted.completeWeeks >= settings.aimLineWeeks;
}
