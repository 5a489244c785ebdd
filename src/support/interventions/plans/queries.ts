// Assignments as the engines of recommendation ask for them: of many students in one query.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { OpenAssignment, PastAssignment } from '../engine/bundles/covering.ts';
import { type AssignmentState, openStates } from '../engine/vocabulary.ts';

/** An assignment, open or ended, with what a recommendation asks about it. */
export interface StoredAssignment extends OpenAssignment, PastAssignment {
  readonly studentId: number;
}

/** All of these students, newest first. */
export const assignmentsOf = (
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<readonly StoredAssignment[]> =>
  rowsOf<StoredRow>(
    trx,
    `select student_id, id, bundle_id, state, scaffold_tier, anchor_role, activated_at, ended_on, completion_result
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

/** Scheduled, active or paused. */
export const isOpen = ({ state }: { readonly state: AssignmentState }): boolean =>
  openStates.some((open) => open === state);
