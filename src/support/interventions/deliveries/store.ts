// The ledger of deliveries: what was answered in the sessions of a step, and a row for each new session.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { SessionResponse } from '../engine/assignments/steps.ts';
import type { BundleAssignment, BundleDelivery } from '../plans/store.ts';
import type { Halts } from './halted.ts';
import type { OpenPlan } from './plans.ts';
import { type DeliveredSession, responsesOf } from './session.ts';

export type CountedDelivery = Pick<BundleDelivery, 'assignmentId' | 'studentId' | 'sourceId' | 'responses'>;

/** Sessions that were counted to the step that each plan is at, in the order in which they were told. */
export function deliveriesAtStep(
  trx: Trx,
  organizationId: string,
  rows: readonly BundleAssignment[],
): Promise<CountedDelivery[]> {
  const atStep = rows.filter(({ currentStepNo }) => currentStepNo !== null);
  return rowsOf(
    trx,
    `select d.assignment_id, d.student_id, d.source_id, d.responses
     from unnest(:ids::text[], :steps::integer[]) as t (id, step_no)
     join bundle_delivery d on d.assignment_id = t.id and d.step_no = t.step_no
     where d.organization_id = :organizationId order by d.id`,
    { organizationId, ids: atStep.map(({ id }) => id), steps: atStep.map((row) => Number(row.currentStepNo)) },
  );
}

/** Ids of the assignments that got a row: not where the session was told before, or another one of that day. */
export async function appendDeliveries(
  trx: Trx,
  session: DeliveredSession,
  plans: readonly OpenPlan[],
  halts: Halts,
): Promise<ReadonlySet<string>> {
  const rows = plans.map(({ row }) => ({
    ...{ organizationId: row.organizationId, schoolYear: row.schoolYear },
    ...{ assignmentId: row.id, studentId: row.studentId, stepNo: row.currentStepNo },
    ...{ sourceType: session.source.type, sourceId: session.source.id, deliveredOn: session.deliveredOn },
    halted: halts.has(row.studentId),
    responses: JSON.stringify(responsesOf(session, row.studentId).map(storedResponse)),
    recordedAt: session.now,
  }));
  const written: { assignmentId: string }[] = await trx('bundle_delivery')
    .insert(rows)
    .onConflict()
    .ignore()
    .returning('assignmentId');
  return new Set(written.map(({ assignmentId }) => assignmentId));
}

/** Which assignments got a row: not those whose student's absence from the session was told before. */
export async function appendAbsences(
  trx: Trx,
  session: DeliveredSession,
  plans: readonly OpenPlan[],
): Promise<readonly { readonly studentId: number; readonly assignmentId: string }[]> {
  if (plans.length === 0) return [];
  const rows = plans.map(({ row }) => ({
    ...{ organizationId: row.organizationId, schoolYear: row.schoolYear },
    ...{ assignmentId: row.id, studentId: row.studentId },
    ...{ sourceType: session.source.type, sourceId: session.source.id, missedOn: session.deliveredOn },
    recordedAt: session.now,
  }));
  return trx('bundle_absence').insert(rows).onConflict().ignore().returning(['studentId', 'assignmentId']);
}

/** Of one session, to whom of these students. */
export const deliveriesOf = (
  trx: Trx,
  organizationId: string,
  { type, id }: DeliveredSession['source'],
  studentIds: readonly number[],
): Promise<{ readonly studentId: number; readonly assignmentId: string }[]> =>
  rowsOf(
    trx,
    `select student_id, assignment_id from bundle_delivery
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
       and source_type = :type and source_id = :id order by student_id`,
    { organizationId, type, id, studentIds },
  );

/** Ids of the sessions that were given to their student, by assignment, in the order in which they were told. */
export async function deliveredSessions(
  trx: Trx,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ assignmentId: string; sessions: string[] }>(
    trx,
    `select assignment_id, array_agg(source_id order by id) as sessions from bundle_delivery
     where organization_id = :organizationId and assignment_id = any(:assignmentIds::text[])
     group by assignment_id`,
    { organizationId, assignmentIds: [...assignmentIds] },
  );
  return new Map(rows.map(({ assignmentId, sessions }) => [assignmentId, sessions]));
}

/** Local dates of the sessions that were given without their student, by assignment, in order. */
export async function missedDays(
  trx: Trx,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ assignmentId: string; days: string[] }>(
    trx,
    `select assignment_id, array_agg(missed_on order by missed_on) as days from bundle_absence
     where organization_id = :organizationId and assignment_id = any(:assignmentIds::text[])
     group by assignment_id`,
    { organizationId, assignmentIds: [...assignmentIds] },
  );
  return new Map(rows.map(({ assignmentId, days }) => [assignmentId, days]));
}

const storedResponse = ({ itemId, subSkillCode, correct }: SessionResponse): SessionResponse => ({
  itemId,
  subSkillCode,
  correct,
});
