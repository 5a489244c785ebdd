// The scope of an assignment, reached through its student.
import type { Actor, Scoped } from '#core/http/route.ts';
import type { AppScope } from '#core/module/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { findOwnerInReach, type StudentInScope, staff, studentWriteErrors } from '#identity/people/index.ts';
import { BundleAssignment } from '../../assignment-rows/store.ts';

type Reaching = Parameters<typeof findOwnerInReach>[2];

export interface ReachedAssignment {
  readonly assignment: BundleAssignment;
  readonly student: StudentInScope;
}

/** Throws NOT_FOUND, and PERMISSION_DENIED unless the caller has one of the `allowed` personas and reaches the student. */
export async function findAssignmentInReach(
  caller: { readonly trx: Trx; readonly actor: Actor },
  assignmentId: string,
  allowed: Reaching,
): Promise<Scoped<ReachedAssignment>> {
  const owner = BundleAssignment.query(caller.trx).where({ id: assignmentId }).select('studentId').toKnexQuery();
  const [assignment, { row: student, ...found }] = await Promise.all([
    BundleAssignment.query(caller.trx).findOne({ id: assignmentId }),
    findOwnerInReach(caller, owner, allowed),
  ]);
  if (!assignment) throw notFound();
  return { ...found, row: { assignment, student } };
}

export const assignmentInReach: AppScope<BundleAssignment> = {
  reach: 'S',
  writeErrors: studentWriteErrors,
  resolve: async ({ trx, actor, params }) => {
    const { row, ...found } = await findAssignmentInReach({ trx, actor }, params.assignmentId ?? '', staff);
    return { ...found, row: row.assignment };
  },
};
