// Reads assignments of many students for the recommendation engines, in one query.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { OpenAssignment, PastAssignment } from '../engine/bundles/covering.ts';
import { type AssignmentState, openStates } from '../engine/vocabulary.ts';

/** An open or ended assignment with the fields that a recommendation uses. */
export interface StoredAssignment extends OpenAssignment, PastAssignment {
  readonly studentId: number;
}

/** Assignments of these students, newest first. */
export const assignmentsOf = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<readonly StoredAssignment[]> =>
  rowsOf<StoredRow>(
    trx,
    `select student_id, id, bundle_id, state, scaffold_tier, delivery_mode, sessions_per_week, anchor_role, activated_at, ended_on, completion_result
     from bundle_assignment
     where organization_id = :organizationId and student_id = any(:studentIds::bigint[])
     order by student_id, activated_at desc, id`,
    { organizationId, studentIds: [...studentIds] },
  ).then((rows) => rows.map(storedAssignment));

interface StoredRow extends Omit<StoredAssignment, 'assignmentId' | 'bundle_id'> {
  readonly id: string;
  readonly bundleId: string;
}

const storedAssignment = ({ id, bundleId, ...row }: StoredRow): StoredAssignment => ({
  ...row,
  assignmentId: id,
  bundle_id: bundleId,
});

/** Whether the assignment is scheduled, active or paused. */
export const isOpenAssignment = ({ state }: { readonly state: AssignmentState }): boolean =>
  openStates.some((open) => open === state);
