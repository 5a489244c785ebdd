// The scopes of an assignment for reading and for recounting.

import type { AppScope } from '#core/module/route.ts';
import { staff, teachersAndAdmins } from '#identity/people/index.ts';
import { type BundleAssignment, findAssignmentInReach } from '../../interventions/index.ts';

const assignmentFor = (reach: string, allowed: typeof staff): AppScope<BundleAssignment> => ({
  reach,
  resolve: async ({ trx, actor, params }) => {
    const found = await findAssignmentInReach({ trx, actor }, params.bundleAssignmentId ?? '', allowed);
    return { ...found, row: found.row.assignment };
  },
});

export const readableAssignment = assignmentFor('S', staff);
export const writableAssignment = assignmentFor('S (ClassTeacher, admin)', teachersAndAdmins);
