// How ids become rows of oral reading that this caller may see.
import type { Actor } from '../../http/route.ts';
import type { Trx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import type { AppScope } from '../../route.ts';
import { enterOrganization, findStudent, requireReach, type StudentInScope, staff } from '../../tenancy/index.ts';
import { OrfAssessment } from './store.ts';

/** The student is named in the body: the handler finds it (`enterStudent`). */
export const studentInBody: AppScope<null> = { reach: 'S', resolve: async () => ({ row: null }) };

/** The student of a write, with the answers that a path id would get: NOT_FOUND, PERMISSION_DENIED, DEMO_READ_ONLY. */
export async function enterStudent(
  caller: { readonly trx: Trx; readonly actor: Actor },
  studentId: number,
): Promise<StudentInScope> {
  const { row: student } = await findStudent(caller.trx, studentId);
  await requireReach(caller.trx, caller.actor, student, staff);
  await enterOrganization(caller, student.organizationId);
  return student;
}

/** An oral reading of a student in reach. */
export const assessmentInReach: AppScope<OrfAssessment> = {
  reach: 'S',
  resolve: async ({ trx, actor, params }) => {
    const row = await OrfAssessment.query(trx).findById(params.id ?? '');
    if (!row) throw notFound();
    const { row: student, organization } = await findStudent(trx, row.studentId);
    await requireReach(trx, actor, student, staff);
    return { row, ...(organization && { organization }) };
  },
};
