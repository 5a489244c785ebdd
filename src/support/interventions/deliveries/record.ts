// The single writer of deliveries (contract 51 §5.1): a row for each present student's assignment, counted for its current
// step, with all that follows for goals, scaffold and the end of the assignment.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { lastGradeAt } from '#identity/people/index.ts';
import type { BundleAssignment } from '../assignment-rows/store.ts';
import { changeAssignment } from '../assignments/change.ts';
import { completionEvents, stepEvents } from '../assignments/events.ts';
import { deliveredDays } from '../assignments/track.ts';
import { type InterventionRules, interventionRules } from '../rules/compiled.ts';
import { lockSupport } from '../support/lock.ts';
import { advancedBy } from './advance.ts';
import { deliveryRecorded } from './events.ts';
import { type Halts, haltedAssignments } from './halted.ts';
import { pooledResponses } from './pooled.ts';
import { type DeliveredSession, studentResponsesOf, wasThere } from './session.ts';
import { type SessionAssignment, sessionAssignments, studentsWithAssignments } from './session-assignments.ts';
import { appendAbsences, appendDeliveries } from './store.ts';
import { bundlesOf, sessionTargetsOf, targetSkillsOf } from './targets.ts';

export interface RecordedDelivery {
  readonly studentId: number;
  readonly assignmentId: string;
  /** The step that the session was counted for. */
  readonly stepNo: number;
}

/**
 * Returns the written deliveries by student: those present with an assignment of the bundle that has begun by that day and
 * has no other session on it. The number of reads does not depend on the number of students. Throws ENGINE_UNAVAILABLE.
 */
export async function recordDeliveries(
  trx: Trx,
  services: Services,
  session: DeliveredSession,
): Promise<readonly RecordedDelivery[]> {
  const { organizationId, now } = session;
  const rules = interventionRules((await services.rules.at(trx, now)).rules);
  const studentIds = await studentsWithAssignments(trx, session);
  await lockSupport(trx, organizationId, studentIds);
  const included = await sessionAssignments(trx, session, studentIds);
  const missed = await appendAbsences(
    trx,
    session,
    included.filter(({ row }) => !wasThere(session, row.studentId)),
  );
  const assignments = included.filter(({ row }) => wasThere(session, row.studentId));
  const recorded = assignments.length === 0 ? [] : await recordPresent(trx, services, session, assignments, rules);
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
  assignments: readonly SessionAssignment[],
  rules: InterventionRules,
): Promise<readonly RecordedDelivery[]> {
  const { organizationId, now } = session;
  const halts = await haltedAssignments(trx, organizationId, assignments, rules, now);
  const known = await knownBefore(trx, services, session, assignments, rules);
  const recorded = await appendDeliveries(trx, session, assignments, halts);
  for (const assignment of assignments.filter(({ row }) => recorded.has(row.id))) {
    await moveOn(trx, session, assignment, { ...known, halts, rules });
  }
  return assignments.flatMap(({ row: { studentId, id, currentStepNo } }) =>
    recorded.has(id) && currentStepNo !== null ? [{ studentId, assignmentId: id, stepNo: currentStepNo }] : [],
  );
}

async function knownBefore(
  trx: Trx,
  services: Services,
  session: DeliveredSession,
  assignments: readonly SessionAssignment[],
  rules: InterventionRules,
) {
  const { organizationId, now } = session;
  const rows = assignments.map(({ row }) => row);
  const bundles = await bundlesOf(trx, services, rows, rules);
  const { schoolYearStart } = rules.profiles.catalogue;
  const targets = new Map(
    assignments.map(({ row, enrollment }) => [
      row.id,
      targetSkillsOf(row, lastGradeAt(enrollment, schoolYearStart, now), bundles, rules),
    ]),
  );
  const without = rows.filter(({ id }) => targets.get(id)?.size === 0);
  return {
    delivered: await deliveredDays(
      trx,
      organizationId,
      rows.map(({ id }) => id),
    ),
    pooled: await pooledResponses(trx, services, { organizationId, now }, rows),
    targets: new Map([...targets, ...(await sessionTargetsOf(trx, services, session, without))]),
  };
}

interface Known extends Awaited<ReturnType<typeof knownBefore>> {
  readonly halts: Halts;
  readonly rules: InterventionRules;
}

async function moveOn(trx: Trx, session: DeliveredSession, assignment: SessionAssignment, known: Known): Promise<void> {
  const { deliveredOn, now } = session;
  const row = await begun(trx, assignment.row, now);
  const targets = known.targets.get(row.id) ?? new Set();
  const delivery = { dndy: known.halts.has(row.studentId), responses: studentResponsesOf(session, row.studentId) };
  const before = { pooled: known.pooled.get(row.id) ?? [], days: known.delivered.get(row.id) ?? [] };
  const moment = { ...assignment.moment, deliveredOn };
  const { change, events } = advancedBy(row, delivery, { ...before, moment, targets }, known.rules);
  const completed = completionEvents(row, change, assignment.moment.calendar, known.rules);
  await changeAssignment(trx, row, change, now, [...stepEvents(row, events), ...completed]);
}

/** AS-03: a scheduled assignment whose day has come starts with the first write. */
const begun = (trx: Trx, row: BundleAssignment, now: Date): Promise<BundleAssignment> =>
  row.state === 'scheduled' ? changeAssignment(trx, row, { state: 'active' }, now) : Promise.resolve(row);
