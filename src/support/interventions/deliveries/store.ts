// Rows of deliveries: the answers in the sessions of a step, and a row for each new session.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { BundleAbsence, type BundleAssignment, BundleDelivery } from '../assignment-rows/store.ts';
import type { SessionResponse } from '../engine/assignments/steps.ts';
import type { Halts } from './halted.ts';
import { type DeliveredSession, studentResponsesOf } from './session.ts';
import type { SessionAssignment } from './session-assignments.ts';

export type CountedDelivery = Pick<BundleDelivery, 'assignmentId' | 'studentId' | 'sourceId' | 'responses'>;

/** The sessions that were counted for the current step of each assignment, in the order of recording. */
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

/**
 * Returns the ids of the assignments that got a row; none is added for a session already recorded, or for a second session
 * on one day.
 */
export async function appendDeliveries(
  trx: Trx,
  session: DeliveredSession,
  assignments: readonly SessionAssignment[],
  halts: Halts,
): Promise<ReadonlySet<string>> {
  const rows = assignments.map(({ row }) => ({
    ...{ organizationId: row.organizationId, schoolYear: row.schoolYear },
    ...{ assignmentId: row.id, studentId: row.studentId, stepNo: row.currentStepNo },
    ...{ sourceType: session.source.type, sourceId: session.source.id, deliveredOn: session.deliveredOn },
    halted: halts.has(row.studentId),
    responses: studentResponsesOf(session, row.studentId).map(storedResponse),
    recordedAt: session.now.toISOString(),
  }));
  const written: { assignmentId: string }[] = await BundleDelivery.query(trx)
    .insert(rows)
    .onConflict()
    .ignore()
    .returning('assignmentId')
    .toKnexQuery();
  return new Set(written.map(({ assignmentId }) => assignmentId));
}

/** Returns the ids of the assignments that got a row; none is added for an absence already recorded. */
export async function appendAbsences(
  trx: Trx,
  session: DeliveredSession,
  assignments: readonly SessionAssignment[],
): Promise<readonly { readonly studentId: number; readonly assignmentId: string }[]> {
  if (assignments.length === 0) return [];
  const rows = assignments.map(({ row }) => ({
    ...{ organizationId: row.organizationId, schoolYear: row.schoolYear },
    ...{ assignmentId: row.id, studentId: row.studentId },
    ...{ sourceType: session.source.type, sourceId: session.source.id, missedOn: session.deliveredOn },
    recordedAt: session.now.toISOString(),
  }));
  return BundleAbsence.query(trx)
    .insert(rows)
    .onConflict()
    .ignore()
    .returning(['studentId', 'assignmentId'])
    .toKnexQuery();
}

/** The deliveries of one session to these students. */
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

/** Ids of delivered sessions, by assignment, in the order of recording. */
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

/** Local dates of the sessions that the student missed, by assignment, in order. */
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
