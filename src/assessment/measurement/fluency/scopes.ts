// How ids become rows of oral reading that this caller may see.

import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { findStudentInReach, staff } from '#identity/people/index.ts';
import { OrfAssessment } from './store.ts';

/** The student is named in the body: the handler finds it (`enterStudent`). */
export const studentInBody: AppScope<null> = { reach: 'S', resolve: async () => ({ row: null }) };

/** An oral reading of a student in reach. */
export const assessmentInReach: AppScope<OrfAssessment> = {
  reach: 'S',
  resolve: async ({ trx, actor, params }) => {
    const row = await OrfAssessment.query(trx).findById(params.id ?? '');
    if (!row) throw notFound();
    const { organization } = await findStudentInReach({ trx, actor }, row.studentId, staff);
    return { row, ...(organization && { organization }) };
  },
};
