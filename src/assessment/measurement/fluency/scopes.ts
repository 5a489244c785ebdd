// Scopes of oral reading: load rows that the caller may see.

import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { findStudentInReach, staff } from '#identity/people/index.ts';
import { OrfAssessment } from './store.ts';

/** The body names the student; the handler loads them with `requireStudentForWrite`. */
export const studentInBody: AppScope<null> = { reach: 'S', resolve: async () => ({ row: null }) };

/** Scope: an oral reading of a student in reach. */
export const assessmentInReach: AppScope<OrfAssessment> = {
  reach: 'S',
  resolve: async ({ trx, actor, params }) => {
    const row = await OrfAssessment.query(trx).findById(params.id ?? '');
    if (!row) throw notFound();
    const { organization } = await findStudentInReach({ trx, actor }, row.studentId, staff);
    return { row, ...(organization && { organization }) };
  },
};
