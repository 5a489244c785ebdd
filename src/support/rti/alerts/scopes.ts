// The scope of an alert for writers, reached through its student.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { findOwnerInReach, studentWriteErrors, teachersAndAdmins } from '#identity/people/index.ts';
import { RtiAlert } from '../rows/alerts.ts';

export const alertToWriteAbout: AppScope<RtiAlert> = {
  reach: 'S (ClassTeacher, admin)',
  writeErrors: studentWriteErrors,
  resolve: async ({ trx, actor, params }) => {
    const id = params.alertId ?? '';
    const owner = RtiAlert.query(trx).where({ id }).select('studentId').toKnexQuery();
    const [row, { row: _student, ...found }] = await Promise.all([
      RtiAlert.query(trx).findOne({ id }),
      findOwnerInReach({ trx, actor }, owner, teachersAndAdmins),
    ]);
    if (!row) throw notFound();
    return { ...found, row };
  },
};
